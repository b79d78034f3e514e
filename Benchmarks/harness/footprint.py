"""What a program pays for having the client at all: build time, size, packages."""
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from harness.tools import FOLDER, output

PIUPIU = """import PiuPiuAsync
let dispatcher = URLRequestDispatcher()
let url = URL(string: CommandLine.arguments[1])!
print(try await dispatcher.data(from: url).data?.count ?? 0)
"""
THEIRS = """import AsyncHTTPClient
let request = HTTPClientRequest(url: CommandLine.arguments[1])
let response = try await HTTPClient.shared.execute(request, timeout: .seconds(9))
print(try await response.body.collect(upTo: 1 << 20).readableBytes)
"""
# Runs a command, and prints the memory of its largest process in KiB.
PEAK = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=sys.stderr)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
CLIENTS = {
    "PiuPiu": (f'.package(name: "PiuPiu", path: "{FOLDER.parent}")', "PiuPiuAsync", "PiuPiu", PIUPIU),
    "async-http-client": (
        '.package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0")',
        "AsyncHTTPClient", "async-http-client", THEIRS,
    ),
    "PiuPiu, lean": (f'.package(name: "PiuPiu", path: "{FOLDER.parent}", traits: [])', "PiuPiuAsync", "PiuPiu", PIUPIU),
    "nothing": ("", "", "", "import Foundation\nprint(URL(fileURLWithPath: \"/\"))\n"),
}


def run(run):
    # In turns, because a machine is faster at one time than at another.
    for number in range(1 if run.smoke else 2):
        for client in CLIENTS:
            if client == "async-http-client" and not run.peers:
                continue
            print(f"  {client}: clean release build {number + 1}", flush=True)
            run.attempt(True, lambda: measure(client), client=client, round=number)


def measure(client):
    dependency, product, package, source = CLIENTS[client]
    uses = f'[.product(name: "{product}", package: "{package}")]' if product else "[]"
    folder = Path(tempfile.mkdtemp(prefix="footprint."))
    try:
        (folder / "Sources" / "App").mkdir(parents=True)
        (folder / "Sources" / "App" / "main.swift").write_text(source)
        (folder / "Package.swift").write_text(f"""// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "App",
    platforms: [.macOS(.v14)],
    dependencies: [{dependency}],
    targets: [.executableTarget(name: "App", dependencies: {uses})]
)
""")
        resolve = ["swift", "package", "--package-path", folder, "resolve"]
        output(resolve, 900, os.environ)
        build = ["swift", "build", "-c", "release", "--package-path", folder, "--product", "App"]
        load = os.getloadavg()[0]
        start, before = time.monotonic(), children()
        peak = int(output([sys.executable, "-c", PEAK, *build], 3600, os.environ).split()[-1]) / 1024
        wall, cpu = time.monotonic() - start, children() - before
        program = folder / ".build" / "release" / "App"
        output(["strip", "-s", program], 60)
        pins = folder / "Package.resolved"
        packages = len(json.loads(pins.read_text())["pins"]) if pins.exists() else 0
        return {
            "build_s": wall, "build_cpu_s": cpu, "size_kib": program.stat().st_size / 1024,
            "packages": packages + (1 if client.startswith("PiuPiu") else 0), "load_before": load, "peak_mib": peak,
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def children():
    times = os.times()
    return times.children_user + times.children_system
