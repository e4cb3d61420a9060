# `make run` and `make test` set everything up on a fresh machine with Python 3.11 or newer.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test lint clean setup

# Trains the default recipe and compares matchers, on BenchIE^FL_match where it is found, else on the bundled sample.
run: $(READY)
	$(BIN)/python -m training.run --output runs/features
	$(BIN)/python -m training.benchmark --report runs/benchmark.html

test: $(READY) lint
	$(BIN)/python -m pytest -n 2 -q

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

setup: $(READY)

# Installed once, and again whenever the project files change. The constraints hold the versions that are tested.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[test]'
	touch $(READY)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
