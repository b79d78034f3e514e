"""The command line of Scripts/check-websockets."""
import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from harness.matrix import make_certificates
from harness.server import Failed, Missing, end_with_parent, environment

from . import autobahn, reload
from .servers import HERE, PEERS, ROOT, Peer, Tunnel, Way


class Check:
    """The options, the client, the certificates and the faults that the sections share."""

    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.certificates = make_certificates()
        self.folder = Path(tempfile.mkdtemp(prefix="websocket-check-"))
        self.faults: list[str] = []
        self.skipped: list[str] = []
        self.runs = 0
        program = os.environ.get("WEBSOCKET_CHECK", ".build/release/WebSocketCheck")
        self.client = [str(ROOT / program)]
        if options.client == "reference":
            self.client = [sys.executable, str(HERE / "reference.py")]

    def arguments(self, way: Way, url_tail: str, plain: int, tls: int, proxy: int | None) -> list[str]:
        """The arguments that have the client use a way."""
        url = f"{'wss' if way.tls else 'ws'}://localhost:{tls if way.tls else plain}{url_tail}"
        words = [url, "--expect", str(way.version), "--http2", way.http2]
        if way.tls:
            words += ["--ca", f"{self.certificates}/ca.pem"]
        if way.tunnel:
            words += ["--proxy", f"http://127.0.0.1:{proxy}"]
        if way.compressed:
            words += ["--must-compress", "--compression"] + ["no-context"] * (not way.keeps_context)
        words += ["--cleartext"] * way.cleartext
        return words

    def start(self, command: str, words: list[str]) -> subprocess.Popen:
        """Starts the client."""
        return subprocess.Popen(
            [*self.client, command, *words], env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", preexec_fn=end_with_parent,
        )

    def run(self, command: str, words: list[str], limit: float) -> tuple[int | None, list[str]]:
        """Runs the client; the status is None if it was killed because it took too long."""
        return self.finish(self.start(command, words), limit)

    @staticmethod
    def finish(process: subprocess.Popen, limit: float) -> tuple[int | None, list[str]]:
        """Waits for the client."""
        killed = threading.Event()

        def kill() -> None:
            killed.set()
            process.kill()

        timer = threading.Timer(limit, kill)
        timer.start()
        try:
            text = process.communicate()[0]
        finally:
            timer.cancel()
        return (None if killed.is_set() else process.returncode), text.splitlines()

    def report(self, title: str, is_right: bool, text: str, lines: list[str] | None = None) -> None:
        """Prints a result, and keeps it if it is a fault."""
        text = " ".join(text.split())
        self.runs += 1
        print(f"{'ok   ' if is_right else 'FAULT'}  {title}: {text}", flush=True)
        if not is_right:
            self.faults.append(f"{title}: {text}")
            for line in (lines or [])[:20]:
                print(f"           {line[:400]}", flush=True)

    def skip(self, name: str, reason: object) -> None:
        """Says that a server is not installed."""
        self.skipped.append(name)
        print(f"skip   {name}: {reason}", flush=True)

    def close(self) -> None:
        shutil.rmtree(self.certificates, ignore_errors=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def check_peers(check: Check) -> None:
    """Sends messages to every server in every way, and compares the answers."""
    options = check.options
    wanted = set(options.peer or [])
    for kind, behind in PEERS:
        if wanted and kind.name not in wanted:
            continue
        try:
            version = kind.version()
        except Missing as error:
            check.skip(kind.name, error)
            continue
        for way in kind.ways():
            title = f"{kind.name} {version}, {way.title}"
            if options.way and not re.search(options.way, way.title):
                continue
            check_way(check, title, kind, behind, way)


def check_way(check: Check, title: str, kind: type[Peer], behind: type[Peer] | None, way: Way) -> None:
    """Sends messages to a server in one way."""
    options = check.options
    if options.client == "reference" and way.tunnel and way.version == 2:
        print(f"skip   {title}: the reference has no tunnel for HTTP/2", flush=True)
        return
    server = kind(check.certificates, behind(check.certificates) if behind else None)
    tunnel = Tunnel(check.certificates)
    try:
        if way.tunnel:
            tunnel.start()
        server.start()
        words = check.arguments(way, "/", server.plain, server.tls, tunnel.plain)
        words += ["--messages", str(options.messages), "--sockets", str(options.sockets)]
        words += ["--maximum", str(options.maximum), "--seed", str(options.seed), "--seconds", str(options.limit)]
        status, lines = check.run("echo", words, options.limit + 30)
        is_right, text = status == 0, lines[-1] if lines else "no output"
        if status is None:
            text = "killed after the time limit"
        if way.tunnel:
            text += f", {tunnel.count} tunnels"
            is_right = is_right and tunnel.count > 0
        check.report(title, is_right, text, lines)
    except Failed as error:
        check.report(title, False, str(error))
    finally:
        server.discard()
        tunnel.discard()


SECTIONS = {"autobahn": autobahn.check, "peers": check_peers, "reload": reload.check}


def parse(arguments: list[str]) -> argparse.Namespace:
    """Reads the arguments."""
    parser = argparse.ArgumentParser(prog="check-websockets")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"{', '.join(SECTIONS)}; all by default")
    parser.add_argument("--quick", action="store_true", help="a sample of Autobahn's cases, in plain text")
    parser.add_argument("--cases", action="append", help="Autobahn's cases, such as 1.1.* (may be repeated)")
    parser.add_argument("--way", help="only ways whose title this expression finds, such as 'TLS HTTP/2'")
    parser.add_argument("--peer", action="append", help="a server of the section peers (may be repeated)")
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--sockets", type=int, default=50)
    parser.add_argument("--maximum", type=int, default=1 << 20, help="the bytes of the largest message")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--limit", type=int, default=300, help="the seconds that the client may take")
    parser.add_argument("--client", default="ours", choices=["ours", "reference"],
                        help="`reference` has clients of Python in place of ours")
    parser.add_argument("--wait", action="store_true", help="wait for the end of Autobahn's sockets before releasing them")
    parser.add_argument("--verbose", action="store_true", help="how each case of Autobahn's ended")
    options = parser.parse_args(arguments)
    if unknown := set(options.sections) - set(SECTIONS):
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    return options


def main(arguments: list[str]) -> int:
    """Runs the check and returns the exit status."""
    # Ended by a signal, it ends its servers and removes their folders, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = parse(arguments)
    print(f"# seed {options.seed}", flush=True)
    check = Check(options)
    try:
        for name in options.sections or SECTIONS:
            print(f"== {name}", flush=True)
            SECTIONS[name](check)
    finally:
        check.close()
    for fault in check.faults:
        print(f"FAULT {fault}")
    print(f"{check.runs} checks, {len(check.faults)} faults, {len(check.skipped)} skipped")
    return 1 if check.faults or not check.runs else 0
