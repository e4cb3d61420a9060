"""`python -m training.studio FOLDER`."""

from data.command_line import run
from training.studio.command import main

if __name__ == "__main__":
    raise SystemExit(run(main))
