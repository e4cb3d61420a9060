"""The trials of a sweep: a journal in the output folder that all workers share.

Started several times at once, a sweep is several workers; they together make as many trials as were asked for. A
trial's values depend on the seed and the finished trials and not on when the sweep was interrupted.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from data.formats.textfile import sha256
from data.problems import InputError
from training.sweeping.search_space import Sweep

STUDY = "study.log"
_LOST = timedelta(days=1)  # after which a trial of another machine counts as lost


class Study:
    """The trials of a sweep in its folder; `identity` says what the sweep is, and another one's folder is refused."""

    def __init__(self, output: Path, sweep: Sweep, seed: int, identity: str) -> None:
        from optuna.storages.journal import JournalFileSymlinkLock

        self.sweep, self.seed = sweep, seed
        self.path = output / STUDY
        workers = output / "workers"
        try:
            output.mkdir(parents=True, exist_ok=True)
            workers.touch()
        except OSError as error:
            raise InputError(f"can't be written: {error.strerror}", output) from None
        self._lock = JournalFileSymlinkLock(str(workers))
        with self._alone():
            self._study = self._opened(identity)
            self._give_up_lost()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Between these lines no other worker begins a trial."""
        self._lock.acquire()
        try:
            yield
        finally:
            self._lock.release()

    def _opened(self, identity: str) -> Any:
        import optuna
        from optuna.storages.journal import JournalFileBackend, JournalStorage

        try:
            storage = JournalStorage(JournalFileBackend(str(self.path)))
            study = optuna.create_study(
                storage=storage, study_name="sweep", direction="maximize", load_if_exists=True
            )  # fmt: skip
            known = study.user_attrs.get("identity")
        except OSError as error:
            raise InputError(f"can't be read or written: {error.strerror}", self.path) from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError("is no study, or damaged; choose another --output", self.path) from None
        if known is None:
            study.set_user_attr("identity", identity)
        elif known != identity:
            message = (
                "is of a sweep with another space, recipe, data set, supervision, protocol or seed; "
                "choose another --output"
            )
            raise InputError(message, self.path)
        return study

    def _give_up_lost(self) -> None:
        """Trials that nobody works on any more are made again."""
        from optuna.trial import TrialState

        for trial in self._in_state(TrialState.RUNNING):
            host, _, process = str(trial.user_attrs.get("worker", "")).rpartition(":")
            lost = datetime.now() - (trial.datetime_start or datetime.now()) > _LOST
            if lost or (host == platform.node() and not _is_alive(int(process))) or not host:
                self._study.tell(trial.number, state=TrialState.FAIL)

    def _in_state(self, *states: Any) -> list[Any]:
        trials: list[Any] = self._study.get_trials(deepcopy=False, states=states)
        return trials

    def ask(self) -> Any | None:
        """The next trial, or None if all are done or with other workers."""
        import optuna
        from optuna.trial import TrialState

        with self._alone():
            self._give_up_lost()
            place = len(self._in_state(TrialState.COMPLETE, TrialState.RUNNING))
            if place >= self.sweep.trials:
                return None
            # by its place and not by its number: a trial that is made again tries the same values
            seed = int(sha256(f"{self.seed}:{place}".encode())[:8], 16)
            self._study.sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=max(4, self.sweep.trials // 4))
            trial = self._study.ask()
            trial.set_user_attr("worker", f"{platform.node()}:{os.getpid()}")
            return trial

    def measured(self, trial: Any, measure: Callable[[Sequence[str]], float]) -> float:
        """Measure what a trial is to try; if that fails or is interrupted, the trial can be made again."""
        from optuna.trial import TrialState

        try:
            chosen = [f"{key}={dimension.suggest(key, trial)}" for key, dimension in self.sweep.space.items()]
            trial.set_user_attr("chosen", chosen)
            value = float(measure(chosen))
        except BaseException:
            self._study.tell(trial, state=TrialState.FAIL)
            raise
        self._study.tell(trial, value)
        return value

    def finished(self) -> list[Any]:
        """The finished trials, in the order in which they were begun."""
        from optuna.trial import TrialState

        return self._in_state(TrialState.COMPLETE)

    def best(self) -> Any:
        """The finished trial of the highest F1; of equals the first."""
        return max(self.finished(), key=lambda trial: (trial.value, -trial.number))

    def chosen(self, trial: Any) -> list[str]:
        """What a trial tried, as overrides of the recipe."""
        return [str(override) for override in trial.user_attrs["chosen"]]


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is somebody else's
        return True
    return True
