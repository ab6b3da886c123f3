"""A page in headless Chromium: what its console says, what it asks for, how it looks.

Spoken to over a pipe, so that no port is opened; ``python tests/browser.py PAGE.html -o OUT.png``
takes a picture.
"""

import argparse
import base64
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rendering import tool

SECONDS = 60
WATCHED = ("Log", "Runtime", "Network", "Page")


@dataclass
class Visit:
    """What a browser saw of a page."""

    complaints: list[str] = field(default_factory=list)
    """Errors and warnings of the console, faults of scripts, what a policy refused."""
    requests: list[str] = field(default_factory=list)
    """The addresses that were asked for, the page itself among them."""
    picture: bytes = b""
    height: float = 0.0


class Pipe:
    """Commands to the browser and its events, as JSON that ends with a zero byte."""

    def __init__(self, to: int, back: int) -> None:
        self.to, self.back = os.fdopen(to, "wb", buffering=0), os.fdopen(back, "rb")
        self.number = 0
        self.events: list[dict[str, Any]] = []

    def receive(self) -> dict[str, Any]:
        letters = bytearray()
        while (letter := self.back.read(1)) != b"\0":
            if not letter:
                raise RuntimeError("the browser has gone")
            letters += letter
        return json.loads(letters)  # type: ignore[no-any-return]

    def ask(self, method: str, session: str = "", **given: Any) -> dict[str, Any]:
        """The answer to a command; events on the way are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": given}
        if session:
            message["sessionId"] = session
        self.to.write(json.dumps(message).encode() + b"\0")
        while (got := self.receive()).get("id") != self.number:
            self.events.append(got)
        if "error" in got:
            raise RuntimeError(f"{method}: {got['error']['message']}")
        return got["result"]  # type: ignore[no-any-return]

    def wait(self, method: str) -> None:
        """Go on until an event has come."""
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.receive())


@contextmanager
def browser() -> Iterator[Pipe]:
    """A new browser with a profile of its own."""
    to_read, to_write = os.pipe()
    back_read, back_write = os.pipe()
    # The browser listens on its descriptors 3 and 4.
    script = 'in=$1 out=$2; shift 2; exec "$@" 3<&$in 4>&$out'
    with tempfile.TemporaryDirectory() as profile:
        command = [
            *("bash", "-c", script, "bash", str(to_read), str(back_write)),
            *(tool("chromium", "chromium"), "--headless", "--no-sandbox", "--disable-gpu"),
            *("--remote-debugging-pipe", f"--user-data-dir={profile}", "--no-first-run"),
        ]
        with subprocess.Popen(
            command,
            pass_fds=(to_read, back_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            os.close(to_read)
            os.close(back_write)
            pipe = Pipe(to_write, back_read)
            try:
                yield pipe
                pipe.ask("Browser.close")
                process.wait(SECONDS)
            finally:
                process.kill()


def visit(page: Path, width: int = 980, height: int = 1300) -> Visit:
    """Open a page and look at all of it."""
    with browser() as pipe:
        target = pipe.ask("Target.createTarget", url="about:blank")
        session = pipe.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        name = session["sessionId"]
        for domain in WATCHED:
            pipe.ask(f"{domain}.enable", name)
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        pipe.ask("Emulation.setDeviceMetricsOverride", name, **screen)
        pipe.ask("Page.navigate", name, url=page.as_uri())
        pipe.wait("Page.loadEventFired")
        size = pipe.ask("Page.getLayoutMetrics", name)["cssContentSize"]
        shot = pipe.ask("Page.captureScreenshot", name, captureBeyondViewport=True)
        return Visit(
            list(_complaints(pipe.events)),
            [
                event["params"]["request"]["url"]
                for event in pipe.events
                if event.get("method") == "Network.requestWillBeSent"
            ],
            base64.b64decode(shot["data"]),
            size["height"],
        )


def _complaints(events: list[dict[str, Any]]) -> Iterator[str]:
    for event in events:
        given = event.get("params", {})
        match event.get("method"):
            case "Log.entryAdded" if given["entry"]["level"] in ("warning", "error"):
                yield given["entry"]["text"]
            case "Runtime.consoleAPICalled" if given["type"] in ("warning", "error", "assert"):
                yield " ".join(str(one.get("value", "")) for one in given["args"])
            case "Runtime.exceptionThrown":
                yield given["exceptionDetails"]["text"]


def main() -> None:
    """Take a picture of a page."""
    parser = argparse.ArgumentParser(description="A picture of a page, and what it complains of.")
    parser.add_argument("page", type=Path, metavar="PAGE.html")
    parser.add_argument("-o", dest="picture", type=Path, required=True, metavar="OUT.png")
    options = parser.parse_args()
    found = visit(options.page.resolve())
    options.picture.write_bytes(found.picture)
    print(*found.complaints, *found.requests, sep="\n")


if __name__ == "__main__":
    main()
