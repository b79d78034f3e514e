"""Clients of Python, in place of the one that is checked, to show that a server works.

    python reference.py autobahn|echo|hold URL [options of WebSocketCheck]

WebSockets over HTTP/1.1 are those of the package websockets, and over HTTP/2 those of wsproto over h2.
"""
import argparse
import asyncio
import random
import ssl
import sys
import time
from urllib.parse import urlsplit

import h2.config
import h2.connection
import h2.events
import h2.exceptions
import h2.settings
import websockets
from websockets.asyncio.client import connect
from wsproto.connection import Connection, ConnectionState, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Ping, Pong, TextMessage
from wsproto.extensions import PerMessageDeflate
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

EDGES = [0, 1, 125, 126, 127, 65_535, 65_536]


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("url")
    for name, usual in (("messages", 10_000), ("sockets", 50), ("maximum", 1 << 20), ("window", 8), ("seed", 1),
                        ("seconds", 300), ("parallel", 1), ("until", 1 << 60)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--compression", nargs="?", const="context")
    for name in ("cleartext", "reopen", "must-compress", "verbose", "wait"):
        parser.add_argument(f"--{name}", action="store_true")
    for name in ("proxy", "ca", "http2", "expect"):
        parser.add_argument(f"--{name}")
    return parser.parse_args()


OPTIONS = parse()


class Closed(Exception):
    """The server has closed an HTTP2Socket; the code is None if it has not said so."""

    def __init__(self, code: int | None = None):
        super().__init__(f"closed with {code}")
        self.code = code


class HTTP2Socket:
    """A WebSocket over a stream of an HTTP/2 connection of its own."""

    async def open(self, url: str) -> "HTTP2Socket":
        parts = urlsplit(url)
        context = tls_context(url)
        if context:
            context.set_alpn_protocols(["h2"])
        self.reader, self.writer = await asyncio.open_connection(parts.hostname, parts.port, ssl=context)
        self.http = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        self.http.local_settings = h2.settings.Settings(initial_values={4: 1 << 20})
        self.http.initiate_connection()
        self.http.increment_flow_control_window(1 << 24)
        self.messages: asyncio.Queue = asyncio.Queue()
        self.writable = asyncio.Event()
        self.ponged = asyncio.Event()
        self.settled = asyncio.Event()
        self.opened: asyncio.Future = asyncio.get_running_loop().create_future()
        self.pieces: list = []
        self.code: int | None = None
        self.stream = 0
        self.task = asyncio.create_task(self._read())
        await self._flush()
        await asyncio.wait_for(self.settled.wait(), 10)
        if not self.http.remote_settings.enable_connect_protocol:
            raise ValueError("the server does not allow WebSockets over HTTP/2")
        self.deflate = PerMessageDeflate()
        offer = [("sec-websocket-extensions", f"permessage-deflate; {self.deflate.offer()}")] * bool(OPTIONS.compression)
        self.stream = self.http.get_next_available_stream_id()
        self.http.send_headers(self.stream, [
            (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "https" if context else "http"),
            (":path", parts._replace(scheme="", netloc="").geturl() or "/"), (":authority", parts.netloc), ("sec-websocket-version", "13"), *offer,
        ])
        await self._flush()
        fields = dict(await asyncio.wait_for(self.opened, 10))
        assert fields[":status"] == "200", fields
        return self

    async def _flush(self) -> None:
        self.writer.write(self.http.data_to_send())
        await self.writer.drain()

    async def _read(self) -> None:
        try:
            while data := await self.reader.read(1 << 16):
                for event in self.http.receive_data(data):
                    self._event(event)
                await self._flush()
        finally:
            self.messages.put_nowait(None)

    def _event(self, event) -> None:
        if isinstance(event, h2.events.RemoteSettingsChanged):
            self.settled.set()
        elif isinstance(event, h2.events.ResponseReceived):
            # At once, because messages may follow in the same packet.
            chosen = dict(event.headers).get("sec-websocket-extensions")
            if chosen:
                self.deflate.finalize(chosen)
            self.socket = Connection(ConnectionType.CLIENT, [self.deflate] if chosen else [])
            self.opened.set_result(event.headers)
        elif isinstance(event, h2.events.WindowUpdated):
            self.writable.set()
        elif isinstance(event, h2.events.DataReceived):
            self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            try:
                self.socket.receive_data(event.data)
                for each in self.socket.events():
                    self._message(each)
            except RemoteProtocolError as error:
                self._answer(error.event_hint)
                self.code = self.code or 1002
                self.messages.put_nowait(None)
        elif isinstance(event, (h2.events.StreamReset, h2.events.StreamEnded)):
            self.messages.put_nowait(None)

    def _message(self, event) -> None:
        if isinstance(event, (TextMessage, BytesMessage)):
            self.pieces.append(event.data)
            if event.message_finished:
                self.messages.put_nowait((type(event.data)()).join(self.pieces))
                self.pieces = []
        elif isinstance(event, Pong):
            self.ponged.set()
        elif isinstance(event, Ping):
            self._answer(event.response())
        elif isinstance(event, CloseConnection):
            self.code = event.code or 1005
            if self.socket.state == ConnectionState.REMOTE_CLOSING:
                self._answer(event.response())
            self.messages.put_nowait(None)

    def _answer(self, event) -> None:
        """Sends a small frame, for which there is room."""
        try:
            self.http.send_data(self.stream, self.socket.send(event))
        except (LocalProtocolError, h2.exceptions.ProtocolError):
            pass

    async def _send(self, event) -> None:
        if self.code:
            raise Closed(self.code)
        data = self.socket.send(event)
        while data:
            room = min(self.http.local_flow_control_window(self.stream), self.http.max_outbound_frame_size)
            if room <= 0:
                self.writable.clear()
                await self.writable.wait()
                continue
            self.http.send_data(self.stream, data[:room])
            data = data[room:]
            await self._flush()

    async def __aenter__(self) -> "HTTP2Socket":
        return self

    async def __aexit__(self, *_) -> None:
        self.task.cancel()
        await self._flush()
        self.writer.close()

    async def __aiter__(self):
        while (message := await self.messages.get()) is not None:
            yield message

    async def send(self, message) -> None:
        await self._send(TextMessage(message) if isinstance(message, str) else BytesMessage(message))

    async def recv(self):
        message = await self.messages.get()
        if message is None:
            raise Closed(self.code)
        return message

    async def ping(self):
        self.ponged = asyncio.Event()
        await self._send(Ping(b"ping"))
        return self.ponged.wait()

    async def close(self) -> None:
        await self._send(CloseConnection(1000))
        assert await asyncio.wait_for(self.messages.get(), 10) is None
        self.task.cancel()
        self.writer.close()


def tls_context(url: str) -> ssl.SSLContext | None:
    return ssl.create_default_context(cafile=OPTIONS.ca) if url.startswith("wss") else None


async def open_socket(url: str):
    if OPTIONS.expect == "2":
        return await HTTP2Socket().open(url)
    socket = await connect(
        url, ssl=tls_context(url), proxy=OPTIONS.proxy, max_size=1 << 25, ping_interval=None,
        compression="deflate" if OPTIONS.compression else None,
    )
    return socket


def message(number: int, socket: int):
    chance = random.Random(OPTIONS.seed << 40 | socket << 20 | number)
    if chance.random() < 0.1:
        size = chance.choice([edge for edge in EDGES if edge <= OPTIONS.maximum] + [OPTIONS.maximum])
    else:
        size = int((OPTIONS.maximum + 1) ** chance.random()) - 1
    if chance.random() < 0.5:
        return chance.randbytes(size)
    text = (f"{socket}.{number} " + "aé€😀" * (size // 10 + 1)).encode()[:size]
    return text.decode(errors="ignore").ljust(1)[:size]


async def echo_over(number: int, count: int) -> int:
    socket = await open_socket(OPTIONS.url)
    room = asyncio.Semaphore(OPTIONS.window)

    async def send() -> None:
        for index in range(count):
            await room.acquire()
            await socket.send(message(index, number))

    sending = asyncio.create_task(send())
    size = 0
    for index in range(count):
        received = await socket.recv()
        expected = message(index, number)
        assert received == expected, f"message {index} of {len(expected)} is of {len(received)}"
        size += len(expected)
        room.release()
    await sending
    await asyncio.wait_for(await socket.ping(), 10)
    await socket.close()
    return size


async def echo() -> bool:
    start = time.monotonic()
    count = OPTIONS.messages // OPTIONS.sockets
    outcomes = await asyncio.gather(
        *(echo_over(number, count) for number in range(OPTIONS.sockets)), return_exceptions=True)
    faults = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    for fault in faults:
        print(f"FAULT {fault!r}")
    size = sum(outcome for outcome in outcomes if isinstance(outcome, int))
    done = count * (OPTIONS.sockets - len(faults))
    print(f"echoed {done} of {count * OPTIONS.sockets} messages, {size} units, over {OPTIONS.sockets} sockets in "
          f"{time.monotonic() - start:.3f} s, {len(faults)} faults")
    return not faults


async def autobahn() -> bool:
    base = OPTIONS.url.rstrip("/")
    async with await open_socket(f"{base}/getCaseCount") as socket:
        count = int(await socket.recv())
    for number in range(1, count + 1):
        try:
            async with await open_socket(f"{base}/runCase?case={number}&agent=reference") as socket:
                async for each in socket:
                    await socket.send(each)
        except Exception as error:
            if OPTIONS.verbose:
                print(number, repr(error))
    try:
        async with await open_socket(f"{base}/updateReports?agent=reference") as socket:
            await socket.recv()
    except (Closed, websockets.ConnectionClosed):
        pass
    print(f"end {count} cases, 0 faults")
    return True


async def hold() -> bool:
    sockets = [await open_socket(OPTIONS.url) for _ in range(OPTIONS.sockets)]
    print(f"open {len(sockets)}", flush=True)

    async def one(number: int, socket) -> None:
        count = 0
        try:
            while count < OPTIONS.until:
                if number % 2 == 1 or OPTIONS.until < 1 << 60:
                    await socket.send(f"message {count}")
                assert await socket.recv() == f"message {count}"
                count += 1
                await asyncio.sleep(0.1)
            await socket.close()
            print(f"socket {number} echoed {count}, closed 1000 clean", flush=True)
        except websockets.ConnectionClosed as error:
            end = f"closed {error.rcvd.code} clean" if error.rcvd else "ended connectionLost"
            print(f"socket {number} echoed {count}, {end}", flush=True)
        except Closed as error:
            end = f"closed {error.code} clean" if error.code else "ended connectionLost"
            print(f"socket {number} echoed {count}, {end}", flush=True)
        except (ConnectionError, h2.exceptions.ProtocolError):
            print(f"socket {number} echoed {count}, ended connectionLost", flush=True)

    await asyncio.gather(*(one(number, socket) for number, socket in enumerate(sockets)))
    if OPTIONS.reopen:
        deadline = time.monotonic() + 15
        while True:
            try:
                socket = await open_socket(OPTIONS.url)
                await socket.send("again")
                assert await socket.recv() == "again"
                print("reopened", flush=True)
                await socket.close()
                break
            except (OSError, ValueError, AssertionError, h2.exceptions.ProtocolError, websockets.WebSocketException):
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(0.2)
    return True


sys.exit(0 if asyncio.run({"echo": echo, "autobahn": autobahn, "hold": hold}[OPTIONS.command]()) else 1)
