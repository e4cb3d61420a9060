# `make run` and `make test` set everything up on a fresh machine with Python 3.11 or newer.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test test-ray fuzz mutate lint clean setup

# Trains the default recipe and compares matchers, on BenchIE^FL_match where it is found, else on the bundled sample.
run: $(READY)
	$(BIN)/python -m training.run --output runs/features
	$(BIN)/python -m training.benchmark --report runs/benchmark.html

test: $(READY) lint
	$(BIN)/python -m pytest -n 2 -q

# Any number of hostile files for every reader: make fuzz CASES=100000
CASES ?= 5000
fuzz: $(READY)
	FACTMATCH_FUZZ=$(CASES) $(BIN)/python -m pytest -n 2 -q -m fuzz tests

# Changes lines of the modules that figures hang on and sees whether a test notices; docs/testing.md explains what is left.
MUTANTS ?= 20
mutate: $(READY)
	$(BIN)/python -m tests.mutation --sample $(MUTANTS)

# On a local cluster of two nodes; Ray is large, so it is not among what the other tests need.
test-ray: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[ray]'
	$(BIN)/python -m pytest -q -m ray tests/matchers/workers

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

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
