"""Autobahn's cases, which kosoku serves: over plain connections, TLS, tunnels and HTTP/2."""
import collections
import json
import re
import subprocess
import sys
import time
from pathlib import Path

from harness.server import Failed, Missing

from .servers import HERE, HAProxy, Peer, Tunnel, Way

# A few of the cases with large messages and compression, which take most of the time, and all others.
QUICK = [
    "1.*", "2.*", "3.*", "4.*", "5.*", "6.*", "7.*", "10.*",
    "9.1.1", "9.1.4", "9.2.1", "9.2.4", "9.3.5", "9.4.5", "9.5.3", "9.6.3", "9.7.3", "9.8.3",
    "12.1.1", "12.1.10", "12.2.3", "12.3.5", "12.4.7", "12.5.9",
    "13.1.1", "13.2.3", "13.3.5", "13.4.7", "13.5.3", "13.6.5", "13.7.9",
]
# The cases of sections 12 and 13 need compression; the server does not compress in others.
WAYS = [
    Way(compressed=True), Way(compressed=True, keeps_context=False), Way(), Way(tls=True, compressed=True), Way(tunnel=True, compressed=True),
    Way(tls=True, tunnel=True, compressed=True), Way(tls=True, http2="preferred", version=2, compressed=True),
]
RIGHT = {"OK", "NON-STRICT", "INFORMATIONAL"}


class Fuzzer(Peer):
    """The fuzzing server."""

    name = "kosoku"
    has_tls = False

    def __init__(self, certificates: Path, cases: list[str]):
        super().__init__(certificates)
        self.cases = cases

    # `start` waits for its output instead, because each connection counts as a part of the run.
    ready_ports: list[int] = []

    def command(self) -> list[str]:
        script = str(HERE / "fuzzing_server.py")
        return [sys.executable, script, str(self.folder / "results.json"), str(self.plain), *self.cases]

    def start(self) -> None:
        super().start()
        end = time.monotonic() + 20
        while not self.lines("output"):
            if self.process.poll() is not None or time.monotonic() > end:
                raise Failed(f"kosoku does not listen: {self.lines('errors')[-3:]}")
            time.sleep(0.02)

    def results(self) -> list[dict]:
        """Waits until the server has ended, and returns its judgments."""
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            return []
        path = self.folder / "results.json"
        return json.loads(path.read_text()) if path.exists() else []


def order(case: str) -> list[int]:
    return [int(part) for part in case.split(".")]


def check(check) -> None:
    """Runs the cases in every way, or with --quick in plain text alone."""
    options = check.options
    cases = options.cases or (QUICK if options.quick else [])
    for way in WAYS[:1] if options.quick and not options.way else WAYS:
        if options.way and not re.search(options.way, way.title):
            continue
        # The way without context is for cases that the other offers leave unimplemented.
        _run(check, way, cases or ([] if way.keeps_context else ["12.*", "13.*"]))


def _run(check, way: Way, cases: list[str]) -> None:
    title = f"Autobahn's cases, {way.title}"
    front = None
    server = Fuzzer(check.certificates, cases)
    tunnel = Tunnel(check.certificates)
    try:
        server.start()
        if way.tls:
            # HAProxy adds TLS, which kosoku lacks, and turns HTTP/2 into HTTP/1.1.
            HAProxy.version()
            front = HAProxy(check.certificates, server)
            front.start()
        if way.tunnel:
            tunnel.start()
        words = check.arguments(way, "", server.plain, front.tls if front else 0, tunnel.plain)
        words = [word for word in words if word != "--must-compress"]
        words += ["--verbose"] * check.options.verbose + ["--wait"] * check.options.wait
        start = time.monotonic()
        status, lines = check.run("autobahn", words, 1800)
        seconds = time.monotonic() - start
        if check.options.verbose:
            print("\n".join(lines))
        results = server.results()
        _report(check, title, way, results, status, lines, seconds, tunnel.count if way.tunnel else None)
    except Missing as error:
        check.skip(title, error)
    except Failed as error:
        check.report(title, False, str(error))
    finally:
        if front:
            front.discard()
        server.discard()
        tunnel.discard()


def _report(check, title, way, results, status, lines, seconds, tunnels) -> None:
    sections = collections.defaultdict(collections.Counter)
    for row in results:
        sections[int(row["case"].split(".")[0])][row["behavior"]] += 1
    for section, counts in sorted(sections.items()):
        text = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
        print(f"       section {section}: {text}")
    ordered = sorted(results, key=lambda row: order(row["case"]))
    for name in ("NON-STRICT", "INFORMATIONAL", "UNIMPLEMENTED"):
        cases = [row["case"] for row in ordered if row["behavior"] == name]
        if cases:
            print(f"       {name}: {' '.join(cases)}")
    details = []
    for row in ordered:
        allowed = RIGHT | {"UNIMPLEMENTED"}
        if row["behavior"] not in allowed or (row["close"] not in RIGHT and row["behavior"] != "UNIMPLEMENTED"):
            details.append(f"{row['case']}: {row['behavior']}, close {row['close']}: {row['text']} {row['close_text']} "
                           f"{row['unclean'] or ''}")
            (check.folder / "failed.json").write_text(json.dumps(row))
    is_right = status == 0 and not details and bool(results)
    text = f"{len(results)} cases, {len(details)} failed, in {seconds:.0f} s"
    if status != 0:
        text += f", the client's status was {status}: {lines[-1] if lines else ''}"
    if tunnels is not None:
        text += f", {tunnels} tunnels"
        is_right = is_right and tunnels >= len(results)
    check.report(title, is_right, text, details + [line for line in lines if "error" in line])
