"""WebSockets: messages echoed by one server, and what idle ones take."""
import os
import subprocess
import sys

from harness.tools import FOLDER, PLAIN, Failure, lines, output

LOOP, NIO, ASYNC_CHANNEL, PYTHON = "PiuPiu on the loop", "NIO", "NIOAsyncChannel", "Python's websockets"
LENGTHS = (125, 16_384)
SOCKETS = (1, 32)
FILES = FOLDER / "Peers" / "WebSockets"


def run(run):
    python = environment()
    if not python:
        # The server is one of its packages.
        message = "the packages of Peers/WebSockets/requirements.txt cannot be installed"
        if not run.smoke:
            raise Failure(message)
        print(f"  skipped: {message}")
        return
    programs = [run.programs["Load"]] + ([run.programs.peer("PeerSockets")] if run.peers else [])
    clients = [(name, program) for program in programs for name in output([program, "socket-clients"], 20).splitlines()]
    with Server(python) as server:
        for length in LENGTHS:
            for sockets in SOCKETS:
                print(f"  {length} B, {sockets} sockets", flush=True)
                for number, name, program in turns(
                        clients + ([(PYTHON, python)] if run.peers else []), 1 if run.smoke else 9):
                    run.attempt(
                        name.startswith("PiuPiu"),
                        lambda: echo(server, name, program, length, sockets, 0.05 if run.smoke else 0.7),
                        length=length, sockets=sockets, client=name, round=number,
                    )
        count = 200 if run.smoke else 10_000
        print(f"  {count:,} idle", flush=True)
        # With `NIOAsyncChannel`, there is always a task; with a plain handler, there is none.
        contestants = [
            ((name, waiting), program) for name, program in clients for waiting in (False, True)
            if (name, waiting) not in ((NIO, True), (ASYNC_CHANNEL, False))
        ]
        for number, (name, waiting), program in turns(contestants, 1 if run.smoke else 3):
            run.attempt(
                name.startswith("PiuPiu"), lambda: idle(server, name, program, count, waiting),
                idle=count, client=name, waiting=waiting, round=number,
            )


def turns(contestants, rounds):
    """No one is always first."""
    for number in range(rounds):
        for place in range(len(contestants)):
            yield number, *contestants[(place + number) % len(contestants)]


def echo(server, name, program, length, sockets, seconds):
    if name == PYTHON:
        command = [program, FILES / "client.py", server.url, length, sockets, seconds, server.process.pid]
    else:
        command = [
            program, f"client={name}", "kind=echo", f"url={server.url}", f"length={length}",
            f"sockets={sockets}", f"seconds={seconds}", f"server={server.process.pid}",
        ]
    return result(name, output(command, 20 + 4 * seconds))


def idle(server, name, program, count, waiting):
    command = [program, f"client={name}", "kind=idle", f"url={server.url}", f"count={count}"]
    return result(name, output([*command, *(["waiting"] if waiting else [])], 90))


def result(name, text):
    found = lines(text)
    if not found:
        raise Failure(f"{name} printed nothing")
    return {k: v for k, v in found[0].items() if k not in ("client", "count")}


def environment():
    """Python with the packages of `requirements.txt`, in the folder of builds; None if they cannot be had."""
    folder, wanted = FOLDER / ".build" / "websockets", (FILES / "requirements.txt").read_text()
    python, stamp = folder / "bin" / "python", folder / "installed.txt"
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    try:
        output([sys.executable, "-m", "venv", "--clear", folder], 120, os.environ)
        output([python, "-m", "pip", "install", "-q", "-r", FILES / "requirements.txt"], 300, os.environ)
    except Failure as failure:
        print(f"  {failure}")
        return None
    stamp.write_text(wanted)
    return python


class Server:
    """picows on uvloop: one thread, for all clients of the section."""

    def __init__(self, python):
        self.command = [python, FILES / "server.py"]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=PLAIN)
        line = self.process.stdout.readline()
        if not line:
            raise Failure("the echo server did not start")
        self.url = f"ws://127.0.0.1:{int(line)}/"
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
