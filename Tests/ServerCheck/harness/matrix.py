"""Runs clients against a server under a condition."""
import shutil
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from .clients import Client, Job
from .conditions import Condition
from .server import Server, program
from .verdict import Verdict, judge


@dataclass(frozen=True)
class Cell:
    """A cell of the table: a client's result with a kind of request."""

    server: str
    condition: str
    version: int
    method: str
    client: str


def make_certificates() -> Path:
    """Makes an authority `ca` and the certificate `good` for localhost, in a folder that is to be removed."""
    folder = Path(tempfile.mkdtemp(prefix="server-check-certificates-"))
    folder.chmod(0o755)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]

    def openssl(*words: str) -> None:
        subprocess.run([program("openssl"), *words], cwd=folder, check=True, capture_output=True)

    authority = ["-subj", "/CN=PiuPiu check authority", "-keyout", "ca.key", "-out", "ca.pem"]
    openssl("req", "-x509", "-days", "2", *key, *authority)
    openssl("req", "-subj", "/CN=localhost", *key, "-keyout", "good.key", "-out", "good.csr")
    (folder / "good.ext").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "good.ext"]
    openssl("x509", "-req", "-in", "good.csr", "-out", "good.pem", *signing)
    for file in folder.iterdir():
        file.chmod(0o644)
    return folder


@dataclass
class Settings:
    """How much a run does."""

    # How many requests a cell has, before the shares of the server and the condition.
    count: int
    # The seconds between two reloads.
    pause: float
    # After how many seconds a client is killed.
    limit: int
    # Whether conditions are left out under which every client loses requests, and idle connections get no GETs.
    is_short: bool = False

    def requests(self, server: type[Server], condition: Condition) -> int:
        """How many requests a cell has: a multiple of 100, so that clients can share them."""
        return max(condition.minimum, round(self.count * server.share * condition.share / 100) * 100)

    def versions(self, server: type[Server], condition: Condition) -> list[int]:
        """The versions of HTTP that a server is checked with under a condition."""
        versions = [version for version in (1, 2) if condition in server.conditions.get(version, [])]
        return [each for each in versions if not (self.is_short and each == 2 and condition in server.unsteady)]

    def methods(self, condition: Condition) -> list[str]:
        """The kinds of requests that are sent under a condition."""
        return ["POST"] if self.is_short and condition.idle else ["GET", "POST"]


class Matrix:
    """Runs cells, with certificates of its own."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.certificates = make_certificates()

    def close(self) -> None:
        """Removes the certificates."""
        shutil.rmtree(self.certificates, ignore_errors=True)

    def run(self, kind: type[Server], condition: Condition, clients: list[Client]) -> dict[Cell, Verdict]:
        """Starts a server, has the clients send to it one after the other, and compares with its log at the end."""
        server = kind(condition, self.certificates)
        runs = []
        try:
            server.start()
            for version in self.settings.versions(kind, condition):
                for method in self.settings.methods(condition):
                    for client in (each for each in clients if version in each.versions):
                        prefix = f"r{len(runs)}"
                        base = f"http://localhost:{server.plain}" if version == 1 else f"https://localhost:{server.tls}"
                        job = Job(
                            base=f"{base}/{prefix}/", post=method == "POST", version=version, condition=condition,
                            parallel=condition.parallel if version == 1 else 50,
                            count=self.settings.requests(kind, condition), limit=self.settings.limit,
                            authority=self.certificates / "ca.pem",
                        )
                        server.prepare(prefix, job.count)
                        start = time.monotonic()
                        outcomes, reloads = self._send(server, client, job)
                        cell = Cell(kind.name, condition.name, version, method, client.title)
                        runs.append((cell, job, prefix, outcomes, reloads, time.monotonic() - start))
            server.stop()
            entries = server.entries()
        finally:
            server.discard()
        results = {}
        for cell, job, prefix, outcomes, reloads, seconds in runs:
            results[cell] = judge(job, prefix, outcomes, entries)
            results[cell].reloads, results[cell].seconds = reloads, round(seconds, 2)
        return results

    def _send(self, server: Server, client: Client, job: Job) -> tuple[dict[int, str], int]:
        """Has a client do a job, while the server is reloaded if that is the condition."""
        is_done = threading.Event()
        reloads = 0

        def reload() -> None:
            nonlocal reloads
            while not is_done.wait(self.settings.pause):
                server.reload()
                reloads += 1

        thread = threading.Thread(target=reload, daemon=True)
        if job.condition.reloads:
            thread.start()
        try:
            outcomes = client.run(job)
        finally:
            is_done.set()
            if job.condition.reloads:
                thread.join(15)
        return outcomes, reloads
