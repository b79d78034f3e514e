"""The command line of Scripts/check-servers."""
import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from . import report
from .apache import Apache
from .caddy import Caddy
from .clients import OUR_CLIENT, ROOT, TEST_LIBCURL, Client
from .conditions import CONDITIONS, Condition
from .haproxy import HAProxy
from .hypercorn import Hypercorn
from .matrix import Cell, Matrix, Settings
from .nghttpd import Nghttpd
from .nginx import Nginx
from .node import Node
from .server import Failed, Missing, Server
from .verdict import Verdict

SERVERS: list[type[Server]] = [Nginx, HAProxy, Apache, Node, Hypercorn, Nghttpd, Caddy]
LONG = Settings(count=20_000, pause=0.5, limit=40)
SHORT = Settings(count=400, pause=0.1, limit=20, is_short=True)
# The results of the last run that wrote a table.
SAVED = ROOT / ".build" / "servers" / "results.json"


def parse(arguments: list[str]) -> argparse.Namespace:
    """Reads the arguments."""
    names = [server.name for server in SERVERS]
    parser = argparse.ArgumentParser(prog="check-servers")
    parser.add_argument("servers", nargs="*", metavar="SERVER", help=f"one of {', '.join(names)}; all by default")
    parser.add_argument("--short", action="store_true", help="a few requests a cell, and ours alone")
    parser.add_argument("--count", type=int, help="how many requests a cell has")
    parser.add_argument("--condition", action="append", help="one of the conditions; all by default")
    parser.add_argument("--client", action="append",
                        help="ours, or curl:LIBCURL with a version of test-libcurl")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=PATH",
                        help="a further program that CheckKit drives")
    parser.add_argument("--write", type=Path, help="the file to write the table into")
    parser.add_argument("--add", action="store_true", help="add to the results that were written before")
    options = parser.parse_args(arguments)
    if unknown := set(options.servers) - set(names):
        parser.error(f"no server {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    return options


class Check:
    """A run over servers and conditions."""

    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.settings = SHORT if options.short else LONG
        if options.count:
            self.settings.count = options.count
        usual = [OUR_CLIENT]
        if not options.short:
            usual.append(Client("curl", "newest"))
        if options.client or options.peer:
            usual = [self._client(name) for name in options.client or []]
        self.clients = usual
        self.clients += [self._peer(text) for text in options.peer]
        self.matrix = Matrix(self.settings)
        self.results, self.versions = report.load(SAVED) if options.add else ({}, {})

    @staticmethod
    def _client(text: str) -> Client:
        name, _, libcurl = text.partition(":")
        return OUR_CLIENT if name == "ours" else Client(name, libcurl or "installed")

    @staticmethod
    def _peer(text: str) -> Client:
        name, _, path = text.partition("=")
        return Client(name, path=str(Path(path).resolve()))

    @staticmethod
    def _peer_version(name: str) -> str:
        manifest = (ROOT / "Benchmarks" / "Peers" / "Package.swift").read_text()
        match = re.search(rf'/{re.escape(name)}", exact: "(.*?)"', manifest)
        return match[1] if match else "unknown"

    def run(self) -> int:
        """Runs everything and returns the exit status."""
        for version in {client.libcurl for client in self.clients if client.libcurl}:
            # Gets that libcurl, so that no client has to wait for it.
            done = subprocess.run([str(TEST_LIBCURL), version, "curl", "--version"], capture_output=True, text=True)
            words = done.stdout.partition("\n")[0].split()
            libraries = [word for word in words if word.startswith(("libcurl/", "OpenSSL/", "nghttp2/"))]
            self.versions[f"libcurl, {version}"] = ", ".join(libraries)
            self.versions["curl's command line tool"] = words[1] if len(words) > 1 else "none"
        for client in self.clients:
            if not client.libcurl and client != OUR_CLIENT:
                self.versions[client.name] = self._peer_version(client.name)
        try:
            faults = [fault for server in SERVERS for fault in self._check(server)]
        finally:
            self.matrix.close()
        for fault in faults:
            print(f"FAULT {fault}")
        print(f"{len(self.results)} cells, {len(faults)} faults")
        return 1 if faults or not self.results else 0

    def _check(self, server: type[Server]) -> list[str]:
        names = self.options.servers
        if names and server.name not in names:
            return []
        try:
            self.versions[server.name] = server.version()
        except Missing as error:
            print(f"{server.name} is skipped: {error}")
            return [f"{server.name}: {error}"] if names else []
        faults = []
        for condition in CONDITIONS:
            if self.options.condition and condition.name not in self.options.condition:
                continue
            try:
                results = self._run(server, condition, self.clients)
                faults += self._faults(server, condition, results)
            except Failed as error:
                faults.append(f"{server.name}, {condition.name}: {error}")
            if self.options.write:
                report.save(SAVED, self.results, self.versions)
                self.options.write.write_text(report.table(self.results, self.versions))
        return faults

    def _run(self, server: type[Server], condition: Condition, clients: list[Client]) -> dict[Cell, Verdict]:
        results = self.matrix.run(server, condition, clients)
        for cell, verdict in results.items():
            print(report.line(cell, verdict), flush=True)
        self.results.update(results)
        return results

    def _faults(self, server: type[Server], condition: Condition, results: dict[Cell, Verdict]) -> list[str]:
        """The cells in which ours is not clean although curl is; curl is only asked if need be."""
        bad = [cell for cell, verdict in results.items() if cell.client.startswith("ours") and not verdict.is_clean]
        if not bad:
            return []
        if not any(cell.client.startswith("curl") for cell in results):
            results = self._run(server, condition, [Client("curl", "newest")])
        curl = {(cell.version, cell.method): each for cell, each in results.items() if cell.client.startswith("curl")}
        return [report.line(cell, self.results[cell]) for cell in bad if curl[cell.version, cell.method].is_clean]


def main(arguments: list[str]) -> int:
    """Runs the check and returns the exit status."""
    # Ended by a signal, it ends its servers and removes their folders, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if os.access("/dev/shm", os.W_OK):
        # Many small files are written, which a disk that others use makes slow.
        tempfile.tempdir = "/dev/shm"
    return Check(parse(arguments)).run()
