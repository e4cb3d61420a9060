"""A real Chromium, driven over the pipe of its DevTools protocol: no driver, no port, no library."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",  # a container's root can't have one
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--remote-debugging-pipe",
    "about:blank",
)
# The protocol's pipe is file descriptors 3 and 4, which subprocess can't name.
LAUNCH = "import os,sys; a,b=map(int,sys.argv[1:3]); os.dup2(a,3); os.dup2(b,4); os.execvp(sys.argv[3],sys.argv[3:])"
PATIENCE = 30.0


def find_browser() -> str | None:
    """The browser's path, if there is one."""
    named = os.environ.get("FACTMATCH_BROWSER")
    return named or next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page of a browser, with what it asked for and complained about."""

    def __init__(self, path: str, folder: Path) -> None:
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        child = [fcntl.fcntl(number, fcntl.F_DUPFD, 10) for number in (theirs_in, theirs_out)]
        flags = [*FLAGS[:-1], f"--user-data-dir={folder}", FLAGS[-1]]
        self.process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, *map(str, child), path, *flags],
            pass_fds=child,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for number in (theirs_in, theirs_out, *child):
            os.close(number)
        os.set_blocking(ours_in, False)
        self._in, self._out, self._rest, self._number = ours_in, ours_out, b"", 0
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self._events: list[str] = []
        target = self.send("Target.createTarget", session=False, url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", session=False, targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    _session: str | None = None

    def send(self, method: str, session: bool = True, **params: Any) -> dict[str, Any]:
        """Call a method of the protocol and wait for its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        return self._await(lambda found: found.get("id") == self._number)

    def _await(self, wanted: Any) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            while b"\0" in self._rest:
                text, _, self._rest = self._rest.partition(b"\0")
                message = json.loads(text)
                self._note(message)
                if wanted(message):
                    if "error" in message:
                        raise RuntimeError(message["error"])
                    return dict(message.get("result", {}))
            try:
                self._rest += os.read(self._in, 1 << 20)
            except BlockingIOError:
                if self.process.poll() is not None:
                    raise RuntimeError(f"the browser ended with {self.process.returncode}") from None
                time.sleep(0.005)
        raise TimeoutError("the browser did not answer")

    def _note(self, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params", {})
        if method:
            self._events.append(method)
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(params["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.complaints.append(json.dumps(params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(params["entry"]["text"])

    def open(self, url: str, width: int = 1280, height: int = 900, dark: bool = False, media: str = "") -> None:
        """Open an address in a window of this size, and forget what happened before."""
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self.send("Page.navigate", url="about:blank")
        self.requests.clear()
        self.complaints.clear()
        self._events.clear()
        self.send("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait(self, script: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if self.run(script):
                    return
            except RuntimeError:
                pass  # the page is being changed
            time.sleep(0.02)
        raise TimeoutError(f"never true: {script}")

    def press(self, key: str, code: int, text: str = "") -> None:
        """Press and release a key."""
        for kind in ("keyDown", "keyUp"):
            extra = {"text": text} if text and kind == "keyDown" else {}
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **extra)

    def screenshot(self, path: Path, selector: str = "", scale: float = 1.0) -> None:
        """A picture of the whole page, or of one element."""
        box = self.run(
            f"(() => {{ const r = document.querySelector({json.dumps(selector or 'html')}).getBoundingClientRect();"
            " return {x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height}; })()"
        )
        clip = {**box, "scale": scale}
        answer = self.send("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(answer["data"]))

    def close(self) -> None:
        """End the browser."""
        try:
            self.send("Browser.close", session=False)
            self.process.wait(5)
        except (RuntimeError, TimeoutError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self._in)
        os.close(self._out)


@contextmanager
def started(path: str) -> Iterator[Browser]:
    """A browser with a profile of its own, which is removed with it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(path, Path(folder))
        try:
            yield browser
        finally:
            browser.close()
