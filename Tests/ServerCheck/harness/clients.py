"""The clients: ours, curl, and others that CheckKit drives. Each leaves a line for each request; see CheckProgram."""
import os
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from .conditions import Condition
from .server import end_with_parent

ROOT = Path(__file__).resolve().parents[3]
OURS = ROOT / os.environ.get("SERVER_CHECK", ".build/release/ServerCheck")
TEST_LIBCURL = ROOT / "Scripts" / "test-libcurl"
# How many clients send to a server that closes idle connections. Each has connections of its own.
IDLE_CLIENTS = 20
# By how many milliseconds their pauses differ from the server's time limit.
IDLE_SPREAD = 10


@dataclass(frozen=True)
class Job:
    """What a client is to send to a server."""

    base: str
    post: bool
    version: int
    count: int
    condition: Condition
    authority: Path
    # How many requests are under way at once.
    parallel: int
    # After how many seconds the client is killed. A request may take half of that.
    limit: int


@dataclass(frozen=True)
class Client:
    """A client to check: `ours`, `curl`, or another that is a program driven by CheckKit."""

    name: str
    # A version that Scripts/test-libcurl knows; None for a client without libcurl.
    libcurl: str | None = None
    # The versions of HTTP that it is checked with.
    versions: tuple[int, ...] = (1, 2)
    # The program that CheckKit drives.
    path: str = str(OURS)

    @property
    def title(self) -> str:
        """What it is called in the table."""
        return f"{self.name} ({self.libcurl})" if self.libcurl else self.name

    def run(self, job: Job) -> dict[int, str]:
        """Does a job.

        Returns the outcome of each request that has ended, by its number.
        """
        return self._curl(job) if self.name == "curl" else self._kit(job)

    def _command(self, *words: str) -> list[str]:
        prefix = [str(TEST_LIBCURL), self.libcurl] if self.libcurl not in (None, "installed") else []
        return prefix + list(words)

    def _kit(self, job: Job) -> dict[int, str]:
        words = [f"base={job.base}", f"count={job.count}", f"version={job.version}", f"ca={job.authority}"]
        words += [f"parallel={job.parallel}", f"head={job.condition.head}", f"seconds={job.limit // 2}"]
        words += ["post"] * job.post
        if job.condition.idle:
            words += [f"pause-ms={job.condition.idle}", f"spread-ms={IDLE_SPREAD}"]
            words += [f"clients={IDLE_CLIENTS}", f"parallel={IDLE_CLIENTS}"]
        outcomes = {}
        for line in finish([Running(self._command(self.path, *words))], job.limit):
            number, _, outcome = line.partition(" ")
            if number.isdigit():
                outcomes[int(number)] = outcome
        return outcomes

    def _curl(self, job: Job) -> dict[int, str]:
        with tempfile.TemporaryDirectory() as folder:
            common = ["-s", "--cacert", str(job.authority), "--http2" if job.version == 2 else "--http1.1"]
            common += ["--max-time", str(job.limit // 2), "-o", f"{folder}/#1"]
            common += ["-w", "%{url_effective} %{http_code} %{exitcode} %{errormsg}\\n"]
            common += [word for index in range(job.condition.head) for word in ("-H", f"x-{index}: {'x' * 1000}")]
            common += ["--data-raw", "body"] * job.post
            runs = self._curls_with_pauses(job) if job.condition.idle else [
                ["-Z", "--parallel-max", str(job.parallel), f"{job.base}[1-{job.count}]"]
            ]
            processes = [Running(self._command("curl", *common, *words)) for words in runs]
            return dict(self._curl_outcome(line, job, folder) for line in finish(processes, job.limit))

    @staticmethod
    def _curls_with_pauses(job: Job) -> list[list[str]]:
        """The arguments of curls that send one request after the other, each in another rhythm."""
        each = job.count // IDLE_CLIENTS
        runs = []
        for index in range(IDLE_CLIENTS):
            pause = job.condition.idle + IDLE_SPREAD * (2 * index / (IDLE_CLIENTS - 1) - 1)
            numbers = f"[{index * each + 1}-{(index + 1) * each}]"
            runs.append(["--rate", f"{round(60_000 / pause)}/m", job.base + numbers])
        return runs

    @staticmethod
    def _curl_outcome(line: str, job: Job, folder: str) -> tuple[int, str]:
        match = re.fullmatch(r"\S*/(\d+) (\d+) (\d+) ?(.*)", line)
        if not match:
            return 0, line
        number, status, code, message = int(match[1]), match[2], match[3], match[4]
        if code != "0":
            return number, f"error {code} {message}"
        file = Path(folder, str(number))
        body = file.read_text(errors="replace") if file.exists() else ""
        # One server answers a POST with its body, and curl sends the same with all.
        answers = ["/" + job.base.partition("//")[2].partition("/")[2] + str(number)] + ["body"] * job.post
        return number, "ok" if status == "200" and body in answers else f"wrong {status} {body[:80]}"


OUR_CLIENT = Client("ours")


class Running:
    """A client that is running. Its output goes into a file: a pipe might hold it up."""

    def __init__(self, command: list[str]):
        self.output = tempfile.TemporaryFile("w+", errors="replace")
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=self.output,
            stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=end_with_parent,
        )

    def lines(self, end: float) -> list[str]:
        """Waits for its end, kills it if that takes too long, and returns the lines that it has written."""
        try:
            self.process.wait(max(0.1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.output.seek(0)
        return self.output.read().splitlines()


def finish(processes: list[Running], limit: int) -> list[str]:
    """Waits for clients for a number of seconds, and returns the lines that they have written."""
    end = time.monotonic() + limit
    return [line for process in processes for line in process.lines(end)]
