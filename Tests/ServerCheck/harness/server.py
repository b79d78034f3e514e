"""A server that is started for a check, with a folder and ports of its own."""
import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from .conditions import Condition


class Missing(Exception):
    """A program that is needed is not installed."""


class Failed(Exception):
    """A server did not start."""


class Entry(NamedTuple):
    """A line of a server's log: a request that it has received."""

    connection: str
    method: str
    path: str
    version: int


def program(name: str) -> str:
    """Where a program is; daemons are often in folders that are not in the PATH."""
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not path:
        raise Missing(f"{name} is not installed")
    return path


def environment() -> dict[str, str]:
    """The environment of servers: a libcurl to check comes with libraries that are none of theirs."""
    return {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}


def free_ports(count: int) -> list[int]:
    """Ports of 127.0.0.1 that nobody listens on. They are held together, so that they differ."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for free in sockets:
            free.bind(("127.0.0.1", 0))
        return [free.getsockname()[1] for free in sockets]


_prctl = ctypes.CDLL(None).prctl


def end_with_parent() -> None:
    """Has the kernel terminate this process when the check is gone, however it ends."""
    _prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


class Server:
    """The base of all servers. A subclass writes the configuration, and reads the log."""

    # What it is called on the command line and in the table.
    name = ""
    # The versions of HTTP that it speaks: 1 in plain text, 2 over TLS.
    versions = (1, 2)
    # The conditions that it can be put under, by version.
    conditions: dict[int, list[Condition]] = {}
    # The conditions under which it breaks connections over HTTP/2 so that no client gets all answers.
    unsteady: list[Condition] = []
    # Whether it answers a POST with its body, and not with the path.
    echoes_body = False
    # How many requests are sent to it in comparison to others: some are slow.
    share = 1.0

    def __init__(self, condition: Condition, certificates: Path):
        self.condition = condition
        self.certificates = certificates
        self.folder = Path(tempfile.mkdtemp(prefix="server-check-"))
        self.folder.chmod(0o755)
        self.plain, self.tls, self.admin = free_ports(3)
        self.process: subprocess.Popen | None = None

    @classmethod
    def version(cls) -> str:
        """The version of the program.

        Raises Missing if it is not installed.
        """
        raise NotImplementedError

    def command(self) -> list[str]:
        """Writes the configuration and returns the command that runs the server in the foreground."""
        raise NotImplementedError

    def prepare(self, prefix: str, count: int) -> None:
        """Makes what requests for PREFIX/1 to PREFIX/COUNT need."""

    def reload(self) -> None:
        """Has the server read its configuration anew."""
        raise NotImplementedError

    def entries(self) -> list[Entry]:
        """Reads the log of a server that has ended."""
        raise NotImplementedError

    # The signal that ends the server once its log is written.
    end_signal = signal.SIGTERM

    @property
    def ready_ports(self) -> list[int]:
        """The ports that it listens on."""
        return [port for version, port in ((1, self.plain), (2, self.tls)) if version in self.versions]

    def start(self) -> None:
        """Starts the server and waits until it listens."""
        command = self.command()
        output = open(self.folder / "output", "wb")
        self.process = subprocess.Popen(
            command, cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL, stdout=output,
            stderr=open(self.folder / "errors", "wb"), start_new_session=True, preexec_fn=end_with_parent,
        )
        end = time.monotonic() + 20
        for port in self.ready_ports:
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    if self.process.poll() is not None or time.monotonic() > end:
                        text = (self.folder / "errors").read_text(errors="replace")[-500:]
                        raise Failed(f"{self.name} does not listen: {text}") from None
                    time.sleep(0.02)

    def signal(self, number: int) -> None:
        """Sends a signal to the server."""
        if self.process:
            os.kill(self.process.pid, number)

    def stop(self) -> None:
        """Ends the server, by force if it takes long."""
        if not self.process or self.process.poll() is not None:
            return
        self.signal(self.end_signal)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            pass
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(5)

    def discard(self) -> None:
        """Ends the server and removes its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def lines(self, name: str) -> list[str]:
        """The lines of a file in the server's folder."""
        path = self.folder / name
        return path.read_text(errors="replace").splitlines() if path.exists() else []

    def words(self, name: str) -> list[Entry]:
        """Reads a log whose lines are: connection, method, path, and a protocol such as HTTP/1.1."""
        entries = []
        for line in self.lines(name):
            words = line.split(" ")
            if len(words) == 4:
                entries.append(Entry(words[0], words[1], words[2], 2 if words[3].startswith("HTTP/2") else 1))
        return entries

    def fields(self, template: str) -> str:
        """Lines that add the fields of the condition to each response."""
        return "\n".join(template.format(name=f"x-{index}", value="x" * 1000) for index in range(self.condition.head))


def output(*command: str) -> str:
    """What a program prints, on standard output and standard error."""
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=30)
    return (done.stdout + done.stderr).strip()
