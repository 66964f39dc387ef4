"""A page in a real browser, headless: its layout at a width, on paper, under keys, and as a screen reader is told it.

Chromium is spoken to over its own pipe: messages of JSON that end in a null byte.
"""

import base64
import json
import os
import re
import subprocess
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

_WORDS = ("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe")
_PAGE_OF_PDF = re.compile(rb"/Type /Page\b")


@dataclass
class Tab:
    """One page of the browser."""

    to_browser: int
    from_browser: int
    session: str = ""
    _rest: bytes = b""
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The result of a command of the DevTools protocol; events before it are left out."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while (answer := self._message()).get("id") != number:
            pass
        assert "error" not in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            read = os.read(self.from_browser, 1 << 20)
            assert read, "the browser ended"
            self._rest += read
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message

    def open(self, page: Path, width: int = 1280) -> None:
        """Show a file in a window of so many CSS pixels, and wait until it is there."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Page.enable")
        self.call("Page.navigate", url=page.resolve().as_uri())
        while self._message().get("method") != "Page.loadEventFired":
            pass

    def run(self, script: str) -> Any:
        """What an expression of JavaScript gives."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """One key, pressed and released."""
        texts = {"Enter": {"text": "\r"}, " ": {"text": " "}}.get(key, {})
        codes = {"Enter": 13, " ": 32, "Tab": 9, "Escape": 27}
        for kind in ("keyDown", "keyUp"):
            own = texts if kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=codes[key], **own)

    def spoken(self) -> list[tuple[str, str]]:
        """Role and name of everything that a screen reader meets."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        seen = [one for one in nodes if not one["ignored"]]
        return [(one["role"]["value"], one.get("name", {}).get("value", "")) for one in seen]

    def pdf(self, sheets: str = "") -> bytes:
        """The page on paper, A4; of all sheets, or of these."""
        paper = {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": True}
        found = self.call("Page.printToPDF", **paper, pageRanges=sheets)
        return base64.b64decode(found["data"])

    def picture(self) -> bytes:
        """The whole page as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"])


def pages_of(pdf: bytes) -> int:
    """How many sheets a PDF of the browser has."""
    return len(_PAGE_OF_PDF.findall(pdf))


def writes_of(pdf: bytes) -> int:
    """How often a PDF of the browser writes letters."""
    parts = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    plain = [zlib.decompress(one) for one in parts if one[:1] == b"x"]
    return sum(len(re.findall(rb"\bT[jJ]\b", one)) for one in plain)


@contextmanager
def browser(profile: Path) -> Iterator[Tab]:
    """A browser with an empty tab; `profile` is a folder that it may fill."""
    (their_in, our_out), (our_in, their_out) = os.pipe(), os.pipe()
    # The browser reads commands from descriptor 3 and writes answers to 4.
    joined = f'exec "$@" 3<&{their_in} 4>&{their_out}'
    words = ("bash", "-c", joined, "bash", *_WORDS, f"--user-data-dir={profile}", "about:blank")
    with subprocess.Popen(words, pass_fds=(their_in, their_out), stderr=subprocess.DEVNULL) as process:
        os.close(their_in)
        os.close(their_out)
        tab = Tab(our_out, our_in)
        try:
            (target,) = (one for one in tab.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
            tab.session = tab.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
            yield tab
        finally:
            tab.session = ""
            tab.call("Browser.close")
            os.close(our_out)
            process.wait()
            os.close(our_in)
