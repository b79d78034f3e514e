"""Proxies that are reloaded, and servers that are killed, while sockets are open.

A socket whose connection ends without a closing handshake must throw `connectionLost`, and never look cleanly closed. Sockets
that a reload leaves open must go on.
"""
import os
import re
import signal
import threading
import time
from dataclasses import dataclass
from typing import Callable

from harness.server import Failed, Missing

from .servers import HAProxy, Hypercorn, Nginx, Peer, Websockets, Way

PLAIN = Way()
TLS = Way(tls=True)
HTTP2 = Way(tls=True, http2="preferred", version=2)
LOST = r"ended connectionLost"


class ImpatientNginx(Nginx):
    patience = "1s"


class ImpatientHAProxy(HAProxy):
    patience = "1s"


def reload(server: Peer) -> None:
    """Has the server read its configuration anew."""
    server.reload()


def kill_workers(server: Peer) -> None:
    """Kills the processes that have the connections; the master starts others."""
    for worker in server.workers():
        os.kill(worker, signal.SIGKILL)


def kill_backend(server: Peer) -> None:
    """Kills the server behind a proxy, and starts it again."""
    server.backend.kill()
    server.backend.start()


def end_backend(server: Peer) -> None:
    """Has the server behind a proxy close its sockets and end, and starts it again."""
    server.backend.signal(signal.SIGTERM)
    server.backend.process.wait(20)
    server.backend.start()


def restart(server: Peer) -> None:
    """Kills the server, and starts it again on the same ports."""
    server.kill()
    server.start()


def end(server: Peer) -> None:
    """Has the server close its sockets and end, and starts it again."""
    server.signal(signal.SIGTERM)
    server.process.wait(20)
    server.start()


@dataclass(frozen=True)
class Event:
    """An event that happens to a server, and the end that it causes."""

    title: str
    kind: type[Peer]
    behind: type[Peer] | None
    ways: tuple[Way, ...]
    happen: Callable[[Peer], None]
    # The expected end of each socket.
    end: str = LOST
    # The number of messages after which the sockets close themselves; for events that leave them open.
    until: int | None = None


EVENTS = [
    Event("nginx is reloaded", Nginx, Websockets, (PLAIN, TLS), reload, "closed 1000 clean", 50),
    Event("nginx is reloaded and ends its sockets", ImpatientNginx, Websockets, (PLAIN, TLS), reload),
    Event("nginx's processes are killed", Nginx, Websockets, (PLAIN, TLS), kill_workers),
    Event("nginx's server is killed", Nginx, Websockets, (PLAIN, TLS), kill_backend),
    Event("nginx's server ends", Nginx, Websockets, (PLAIN, TLS), end_backend, "closed 1001 clean"),
    Event("haproxy is reloaded", HAProxy, Websockets, (PLAIN, TLS, HTTP2), reload, "closed 1000 clean", 50),
    Event("haproxy is reloaded and ends its sockets", ImpatientHAProxy, Websockets, (PLAIN, TLS, HTTP2), reload),
    Event("haproxy is killed", HAProxy, Websockets, (PLAIN, TLS, HTTP2), restart),
    Event("haproxy's server is killed", HAProxy, Websockets, (PLAIN, TLS, HTTP2), kill_backend),
    Event("haproxy's server ends", HAProxy, Websockets, (PLAIN, TLS, HTTP2), end_backend, "closed 1001 clean"),
    Event("websockets is killed", Websockets, None, (PLAIN, TLS), restart),
    Event("websockets ends", Websockets, None, (PLAIN, TLS), end, "closed 1001 clean"),
    Event("hypercorn is killed", Hypercorn, None, (PLAIN, HTTP2), restart),
]


def check(check) -> None:
    """Holds sockets open while each event happens."""
    for event in EVENTS:
        if check.options.peer and event.kind.name not in check.options.peer:
            continue
        try:
            event.kind.version()
        except Missing as error:
            check.skip(event.title, error)
            continue
        for way in event.ways:
            if check.options.client == "reference" and way.version == 2 and event.until:
                print(f"skip   {event.title}, {way.title}: h2 sends nothing after GOAWAY", flush=True)
            elif not check.options.way or re.search(check.options.way, way.title):
                _run(check, event, way)


def _run(check, event: Event, way: Way) -> None:
    title = f"{event.title}, {way.title}"
    server = event.kind(check.certificates, event.behind(check.certificates) if event.behind else None)
    process = None
    try:
        server.start()
        words = check.arguments(way, "/", server.plain, server.tls, None)
        words += ["--sockets", "20", "--seconds", "30", "--reopen"]
        words += ["--until", str(event.until)] if event.until else []
        lines: list[str] = []
        process = check.start("hold", words)
        timer = threading.Timer(60, process.kill)
        timer.start()
        try:
            for line in process.stdout:
                lines.append(line.strip())
                if line.startswith("open "):
                    time.sleep(1)
                    event.happen(server)
            status = process.wait()
        finally:
            timer.cancel()
        _judge(check, title, event, status, lines)
    except Failed as error:
        check.report(title, False, str(error))
    finally:
        if process and process.poll() is None:
            process.kill()
        server.discard()


def _judge(check, title: str, event: Event, status: int, lines: list[str]) -> None:
    ended = [line for line in lines if line.startswith("socket ")]
    wrong = [line for line in ended if not re.search(event.end + "$", line)]
    echoed = sum(int(match[1]) for line in ended if (match := re.search(r"echoed (\d+)", line)))
    text = f"{len(ended) - len(wrong)} of 20 ended as they must ({event.end}), {echoed} messages before"
    is_right = status == 0 and len(ended) == 20 and not wrong and "reopened" in lines
    if "reopened" not in lines:
        text += ", not reopened"
    if status != 0:
        text += f", status {status}"
    check.report(title, is_right, text, wrong + [line for line in lines if "error" in line or "reopening" in line])
