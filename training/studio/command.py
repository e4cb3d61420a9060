"""The studio's command: open a folder, serve it, say where."""

from __future__ import annotations

import argparse
import contextlib
import getpass
import ipaddress
import shutil
import socket
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from data.catalog import SAMPLE
from data.command_line import add_quiet_flag, parser
from data.extras import need
from data.problems import InputError

if TYPE_CHECKING:
    from training.studio.studio import Studio
    from training.studio.web import Site

PORT = 8137
REGULAR = 15.0  # seconds between two looks whether gold and judgments have to be written, or matchers asked


def arguments_parser() -> argparse.ArgumentParser:
    """The command's flags."""
    command = parser(
        "training.studio",
        "Annotate facts and judge matches in the browser, alone or with others, and learn from it.",
        [
            "mine",
            "--demo",
            "mine --language gl --no-browser",
            "mine --twice 0.5 --suggest",
            "mine --host 192.0.2.7",
            "mine --address https://facts.example.org --port 8137",
        ],
    )
    command.add_argument(
        "folder", nargs="?", type=Path, metavar="FOLDER", help="gold/, extractions/, judgments/; made if missing"
    )
    command.add_argument(
        "--demo", action="store_true", help="open a copy of the bundled sample (in FOLDER, else in ./studio-demo)"
    )
    command.add_argument("--port", type=int, metavar="N", help=f"port (default: {PORT}, or a free one if it is taken)")
    command.add_argument(
        "--host", default="127.0.0.1", help="another address than loopback; then only links let people in"
    )
    command.add_argument(
        "--address",
        metavar="URL",
        help="what people type where a proxy stands before it; then only links let people in",
    )
    command.add_argument("--no-browser", action="store_true", help="open no browser")
    command.add_argument(
        "--twice", type=float, default=0.2, metavar="SHARE", help="share judged by two people (default: 0.2)"
    )
    command.add_argument("--suggest", action="store_true", help="show what a matcher says before the judgment")
    command.add_argument("--highlight", metavar="MODULE:FUNCTION", help="your own marks of verbs and entities")
    command.add_argument("--language", metavar="CODE", help="language of the texts (default: the folder's, else en)")
    command.add_argument("--name", help="what you are called in the log (default: your user name)")
    add_quiet_flag(command)
    return command


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve a folder until it is interrupted."""
    command = arguments_parser()
    options = command.parse_args(arguments)
    if options.folder is None and not options.demo:
        command.error("name a FOLDER, or --demo")
    if not 0 <= options.twice <= 1:
        command.error("--twice is a share from 0 to 1")
    if options.port is not None and not 0 <= options.port < 65536:
        command.error("--port is a number below 65536")
    need("the studio", "studio", "starlette", "uvicorn", "jinja2")
    folder = options.folder or Path("studio-demo")
    if options.demo:
        copy_sample(folder)
    serve(folder, options)
    return 0


def copy_sample(folder: Path) -> None:
    """Put the bundled sample into a folder that is not there yet."""
    if folder.exists():
        if (folder / "studio.sqlite").is_file():
            return  # the demo of another day goes on
        if any(folder.iterdir()):
            raise InputError("is not empty; name another folder for the demo", folder)
    for name in ("gold", "extractions", "judgments"):
        shutil.copytree(SAMPLE / name, folder / name, dirs_exist_ok=True)


def serve(folder: Path, options: argparse.Namespace) -> None:
    """Open the folder and answer requests."""
    import uvicorn

    from training.studio.app import application
    from training.studio.highlighting import load_highlighter
    from training.studio.learning import Learner
    from training.studio.people import check_name
    from training.studio.security import checked_address, is_loopback
    from training.studio.studio import Options, Studio
    from training.studio.web import Site

    public = checked_address(options.address) if options.address else ""
    chosen = Options(
        options.twice, options.suggest, options.language, load_highlighter(options.highlight),
        check_name(options.name) if options.name else _user(),
    )  # fmt: skip
    studio = Studio(folder, chosen)
    listener = bound(options.host, options.port)
    port = listener.getsockname()[1]
    is_local = is_loopback(options.host)
    is_open = is_local and not public  # what a proxy passes on comes from this machine, whoever it is of
    names = () if is_local else own_names(options.host)
    host = options.host if is_local else names[0]
    address = public or f"http://{f'[{host}]' if ':' in host else host}:{port}"
    site = Site(studio, Learner(folder), port, open=is_open, address=address, public=public)
    config = uvicorn.Config(
        application(site, names),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    server = uvicorn.Server(config)
    stop = threading.Event()
    threading.Thread(target=regularly, args=(studio, stop), daemon=True).start()
    say(studio, address if is_open else owner_link(site), options, f"{options.host}:{port}" if public else "")
    try:
        server.run(sockets=[listener])
    finally:
        stop.set()
        site.learner.close()
        studio.close()


def say(studio: Studio, address: str, options: argparse.Namespace, listens: str) -> None:
    """Say where the studio is, and to a proxy where it listens; and open it."""
    if not options.quiet:
        for warning in studio.warnings[:10]:
            print(f"warning: {warning}", file=sys.stderr)
    where = f"listens at {listens}; " if listens else ""
    print(f"studio of {studio.folder}: {address}  ({where}Ctrl+C ends it; everything is saved as you go)", flush=True)
    if not options.no_browser:
        import webbrowser

        threading.Timer(0.5, webbrowser.open, (address,)).start()


def owner_link(site: Site) -> str:
    """The owner's own link, which is needed where others can reach the address."""
    from training.studio.actions import OWNER, Invite
    from training.studio.people import hashed, new_secret

    secret, name = new_secret(), site.studio.options.owner
    site.studio.do("studio", [Invite(name, OWNER, hashed(secret))])
    return f"{site.address}/join/{secret}"


def bound(host: str, port: int | None) -> socket.socket:
    """A socket at the address: the port that was asked for or, if none was, the usual one or a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in (PORT, 0) if port is None else (port,):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
        except (OSError, OverflowError) as error:
            listener.close()
            if number == 0 or port is not None:
                reason = error.strerror if isinstance(error, OSError) else str(error)
                raise InputError(f"can't listen at {host} port {number}: {reason}") from None
            continue
        listener.listen(128)
        return listener
    raise InputError(f"can't listen at {host}")


def own_names(host: str) -> tuple[str, ...]:
    """What this machine is called where it listens; an address that stands for all needs all of its own."""
    with contextlib.suppress(ValueError):
        if not ipaddress.ip_address(host).is_unspecified:
            return (host.lower(),)
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None)}
        return (socket.gethostname().lower(), *sorted(found))
    return (host.lower(),)


def regularly(studio: Studio, stop: threading.Event) -> None:
    """Write gold and judgments now and then, so that the commands see them, and ask matchers what they think.

    Without their answers the queue is in another order, nothing else.
    """
    wait, told = 2.0, len(studio.warnings)
    while not stop.wait(wait):
        wait = REGULAR
        try:
            studio.write_files()
            for warning in studio.warnings[told:]:
                print(f"warning: {warning}", file=sys.stderr)
            told = len(studio.warnings)
            studio.machine.warm(list(studio.state.drafts.values()), studio.systems)
        except Exception as error:  # the next time may work, and the log has everything
            print(f"warning: {error}", file=sys.stderr)


def _user() -> str:
    from training.studio.facts import RefusedError
    from training.studio.people import check_name

    try:
        return check_name(getpass.getuser())
    except (RefusedError, OSError, KeyError):
        return "owner"
