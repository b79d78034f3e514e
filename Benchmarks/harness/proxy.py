"""Proxies: Examples/Proxy beside the same proxy on async-http-client, under load, with nginx behind them."""
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

from harness.servers import Nginx
from harness.tools import FOLDER, PLAIN, Failure, output, swift_build

OURS = FOLDER.parent / "Examples" / "Proxy"
AHC = "async-http-client"
LOADS = (("GET 500 B", "500.json", 32), ("GET 1 MiB", "1m.json", 8))
GIB = 1 << 30
FETCH = ["curl", "-sS", "--fail", "-o", "/dev/null", "-w", "%{size_download}"]
TICK = os.sysconf("SC_CLK_TCK")


def run(run):
    if not shutil.which("wrk", path=PLAIN["PATH"]):
        raise Failure("wrk is needed")
    built = swift_build(OURS, 3600, "--product", "Proxy") if run.programs.built else OURS / ".build" / "release"
    contestants = [("PiuPiu", built / "Proxy", []), ("PiuPiu, no retries", built / "Proxy", ["--retries", "0"])]
    if run.peers:
        contestants.append((AHC, run.programs.peer("PeerProxy"), []))
        # With small bodies it is faster so.
        contestants.append((f"{AHC}, other threads", run.programs.peer("PeerProxy"), ["--no-event-loops"]))
    rounds, seconds = (1, 1) if run.smoke else (5, 3)
    with Nginx() as server:
        with open(server.folder / "large.bin", "wb") as file:
            file.truncate(GIB)
        # Into the cache of the system, which would otherwise cost the first proxy three times what the others pay.
        output([*FETCH, server.url("http", "large.bin")], 120)
        for load, path, in_flight in LOADS:
            print(f"  {load}, {in_flight} in flight", flush=True)
            for number in range(rounds):
                for place in range(len(contestants)):
                    name, program, more = contestants[(place + number) % len(contestants)]
                    run.attempt(
                        not name.startswith(AHC), lambda: measure(program, more, server, path, in_flight, seconds),
                        load=load, in_flight=in_flight, client=name, round=number,
                    )
        print("  1 GiB, clients that are slow or gone", flush=True)
        plain = [contestant for contestant in contestants if not contestant[2]]
        for number in range(rounds):
            for place in range(len(plain)):
                name, program, _ = plain[(place + number) % len(plain)]
                run.attempt(name != AHC, lambda: gibibyte(program, server), load="1 GiB", client=name, round=number)
                run.attempt(name != AHC, lambda: hold_and_leave(program), load="hold", client=name, round=number)


class Proxy:
    """A proxy with one thread for clients."""

    def __init__(self, program, upstream, more=()):
        self.command = [program, "--upstream", upstream, "--port", "0", "--threads", "1", *more]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=PLAIN)
        line = self.process.stdout.readline().decode()
        if not line:
            raise Failure("the proxy did not start")
        self.port = int(line.rsplit(":", 1)[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.files = Path(f"/proc/{self.process.pid}")
        return self

    def cpu(self):
        """Processor time of all threads so far, in seconds."""
        fields = (self.files / "stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def memory(self, name):
        """A number of bytes of `status`, in MiB."""
        return int(re.search(rf"{name}:\s+(\d+)", (self.files / "status").read_text()).group(1)) / 1024

    def forget_peak(self):
        (self.files / "clear_refs").write_text("5")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.process.stdout.close()


def measure(program, more, server, path, in_flight, seconds):
    with Proxy(program, server.url("http", "").rstrip("/"), more) as proxy:
        command = ["wrk", "-t1", f"-c{in_flight}", "--latency", f"{proxy.url}/{path}"]
        output([*command, f"-d{max(1, seconds // 4)}s"], 30)
        before = proxy.cpu()
        text = output([*command, f"-d{seconds}s"], 60)
        used = proxy.cpu() - before
        if "Socket errors" in text or "Non-2xx" in text:
            raise Failure(f"wrk: {text.strip().splitlines()[-3:]}")
        count = int(re.search(r"(\d+) requests in", text).group(1))
        if count == 0:
            raise Failure("wrk got no response")
        value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()
        return {
            "rate": float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)),
            "cpu_us": used / count * 1e6,
            "p99_ms": float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit],
            "peak_mib": proxy.memory("VmHWM"),
        }


def gibibyte(program, server):
    """By how much memory grows while 1 GiB passes, after some smaller ones have."""
    with Proxy(program, server.url("http", "").rstrip("/")) as proxy:
        for _ in range(50):
            output([*FETCH, f"{proxy.url}/1m.json"], 30)
        before = proxy.memory("VmRSS")
        proxy.forget_peak()
        used = proxy.cpu()
        start = time.monotonic()
        if int(output([*FETCH, f"{proxy.url}/large.bin"], 120)) != GIB:
            raise Failure("not all of it arrived")
        wall = time.monotonic() - start
        return {
            "wall_ms": wall * 1000,
            "cpu_ms": (proxy.cpu() - used) * 1000,
            "growth_mib": proxy.memory("VmHWM") - before,
        }


def hold_and_leave(program):
    """How much the upstream has sent while the client does not read, and when it sees that the client has gone."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(20)
    sent, closed = [0], []

    def serve():
        connection, _ = listener.accept()
        with connection:
            connection.recv(65_536)
            connection.settimeout(20)
            try:
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 109951162777600\r\n\r\n")
                while True:
                    sent[0] += connection.send(bytes(65_536))
            except OSError as error:
                if not isinstance(error, TimeoutError):
                    closed.append(time.monotonic())

    thread = threading.Thread(target=serve)
    thread.start()
    with listener, Proxy(program, f"http://127.0.0.1:{listener.getsockname()[1]}") as proxy:
        client = socket.create_connection(("127.0.0.1", proxy.port))
        client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        before = -1
        while sent[0] != before or sent[0] == 0:
            before = sent[0]
            time.sleep(0.5)
        start = time.monotonic()
        client.close()
        thread.join(25)
        if not closed:
            raise Failure("the upstream was not closed")
        return {"held_mib": sent[0] / 2**20, "closed_ms": (closed[0] - start) * 1000}
