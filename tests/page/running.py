"""The real server as a process of its own, which tests can kill and start again."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
#: Seconds that a server may take to come up on a busy machine.
PATIENCE: Final = 90


class Server:
    """`pisti watch` on a port of its own, with its games in *folder*."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = _free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[str] | None = None

    def start(self, *arguments: str) -> None:
        """Start the server and wait until it has told its address."""
        environment = os.environ | {
            "PISTI_DATA": str(self.folder),
            "PISTI_LANGUAGE": "en",
            "PYTHONUNBUFFERED": "1",
        }
        command = [sys.executable, "-m", "advisor.cli", "watch", "--port", str(self.port)]
        self._process = subprocess.Popen(
            [*command, *arguments],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        assert self._process.stdout is not None
        said = []
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            line = self._process.stdout.readline()
            said.append(line)
            if re.search(rf":{self.port}/", line):
                return
            if not line:
                break
        raise AssertionError("the server did not start:\n" + "".join(said))

    def kill(self) -> None:
        """End the server as a power cut would."""
        self._end(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)

    def stop(self) -> None:
        """End the server as Ctrl-C would."""
        if self._process is not None:
            self._end(signal.SIGINT)

    def call(self, method: str, path: str, body: object = None) -> Any:
        """Call the API as another program would."""
        request = urllib.request.Request(
            f"{self.address}/api/v1{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def _end(self, kind: int) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(kind)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(20)
        assert process.stdout is not None
        process.stdout.close()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
