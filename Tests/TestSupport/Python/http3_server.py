"""Serves HTTP/3 with aioquic and, on the same port of TCP, HTTP/1.1 over TLS.

    http3_server.py UDP TCP CERTIFICATE KEY [PORT]

UDP is `http3`, `asking` (the same, and clients are asked for certificates), `silent` (a socket that never answers) or
`none`; TCP is `http1` or `none`. With PORT, that port of UDP is used, which another server may have of TCP; TCP is `none` then.

Standard output tells `ready PORT PROXY` when the sockets are bound, PROXY being the port of a tunnelling HTTP proxy that
connects to PORT whatever it is asked for, and then events:

    connection NUMBER            a handshake over QUIC ended
    request NUMBER METHOD PATH   the head of a request arrived
    attempt NUMBER               a socket sent its first datagram to a port that is silent
    reset NUMBER                 the client reset a stream or stopped reading it

The commands on standard input are `die`, which ends the process without a word to any client, and `release`, which ends
the responses that are held; any other word is told again, with the number that follows it, after all that was told
before. The process ends when standard input does.

Paths:

    /client      the subject of the client's certificate, whose key the client has proven to own; none without one
    /hello       a line with the version, the connection's number and the serial number of the request
    /mega        1 MiB of x, without a length
    /large       64 MiB of x, without a length
    /count       reads the body, and answers with its length
    /early       answers 413 before it has the body, and asks for no more of it
    /held        the head and four bytes; the rest comes after `release`
    /reset       the head and four bytes, then the stream is reset
    /lost        the head and four bytes, then the whole connection is closed with an error
    /misdirected 421 over HTTP/3
    /short       announces ten bytes, sends four, and ends the stream

With either version, a query `alt=VALUE` makes VALUE an `Alt-Svc` field of the response; in it, PORT stands for the port, and
lines are separated by `|`.
"""

import asyncio
import os
import socket
import ssl
import sys
import urllib.parse

import aioquic.tls
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.asyncio.server import QuicServer
from aioquic.h3.connection import H3_ALPN, ErrorCode, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import HandshakeCompleted, StopSendingReceived, StreamReset

port = 0
held = []
released = False
connections = 0


def tell(*words):
    os.write(1, (" ".join(str(word) for word in words) + "\n").encode())


def alternatives(path):
    """Returns the values of the Alt-Svc fields that a path asks for."""
    query = path.decode().partition("?alt=")[2]
    return urllib.parse.unquote(query).replace("PORT", str(port)).split("|") if query else []


class AskingContext(aioquic.tls.Context):
    """Asks clients for certificates, which aioquic does for its own tests only."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self._request_client_certificate = True


class Silent(asyncio.DatagramProtocol):
    def __init__(self):
        self.sources = set()

    def datagram_received(self, data, source):
        if source not in self.sources:
            self.sources.add(source)
            tell("attempt", len(self.sources))


class Server(QuicConnectionProtocol):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.http = None
        self.number = 0
        self.ordinal = 0
        self.paths = {}
        self.lengths = {}
        self.gone = set()

    def quic_event_received(self, event):
        global connections
        if isinstance(event, HandshakeCompleted):
            connections += 1
            self.number = connections
            tell("connection", self.number)
            self.http = H3Connection(self._quic)
        if isinstance(event, (StreamReset, StopSendingReceived)):
            if event.stream_id not in self.gone:
                tell("reset", self.number)
            self.gone.add(event.stream_id)
            if isinstance(event, StopSendingReceived):
                self._quic.reset_stream(event.stream_id, ErrorCode.H3_REQUEST_CANCELLED)
        if self.http is None:
            return
        for event in self.http.handle_event(event):
            if isinstance(event, HeadersReceived) and event.stream_id not in self.paths:
                self.begin(event)
            elif isinstance(event, DataReceived):
                self.lengths[event.stream_id] = self.lengths.get(event.stream_id, 0) + len(event.data)
                if event.stream_ended:
                    self.end(event.stream_id)

    def begin(self, event):
        fields = dict(event.headers)
        path = fields[b":path"].decode()
        self.ordinal += 1
        self.paths[event.stream_id] = path
        tell("request", self.number, fields[b":method"].decode(), path)
        if path == "/early":
            self.answer(event.stream_id, 413, b"too large")
            self._quic.stop_stream(event.stream_id, ErrorCode.H3_NO_ERROR)
        elif event.stream_ended:
            self.end(event.stream_id)

    def head(self, stream, status, *fields):
        self.http.send_headers(stream, [(b":status", str(status).encode()), (b"server", b"aioquic"), *fields, *self.alternatives(stream)])

    def alternatives(self, stream):
        return [(b"alt-svc", value.encode()) for value in alternatives(self.paths[stream].encode())]

    def answer(self, stream, status, body):
        self.head(stream, status, (b"content-length", str(len(body)).encode()))
        self.http.send_data(stream, body, True)

    def end(self, stream):
        path = self.paths[stream]
        if path == "/early":
            return
        if path == "/mega" or path == "/large":
            self.head(stream, 200)
            self.http.send_data(stream, b"x" * ((64 if path == "/large" else 1) << 20), True)
        elif path == "/count":
            self.answer(stream, 200, str(self.lengths.get(stream, 0)).encode())
        elif path == "/client":
            certificate = self._quic.tls._peer_certificate
            self.answer(stream, 200, certificate.subject.rfc4514_string().encode() if certificate else b"none")
        elif path == "/misdirected":
            self.answer(stream, 421, b"elsewhere")
        elif path == "/held":
            self.head(stream, 200)
            self.http.send_data(stream, b"held", False)
            if released:
                self.finish(stream)
            else:
                held.append((self, stream))
        elif path == "/reset":
            self.head(stream, 200)
            self.http.send_data(stream, b"half", False)
            asyncio.get_running_loop().call_later(0.05, self.reset, stream)
        elif path == "/lost":
            self.head(stream, 200)
            self.http.send_data(stream, b"half", False)
            asyncio.get_running_loop().call_later(0.05, self.close, ErrorCode.H3_INTERNAL_ERROR)
        elif path == "/short":
            self.head(stream, 200, (b"content-length", b"10"))
            self._quic.send_stream_data(stream, b"\x00\x04half", True)
        else:
            self.answer(stream, 200, f"HTTP/3 {self.number} {self.ordinal}".encode())

    def reset(self, stream):
        self._quic.reset_stream(stream, ErrorCode.H3_INTERNAL_ERROR)
        self.transmit()

    def finish(self, stream):
        if stream in self.gone:
            return
        self.http.send_data(stream, b" released", True)
        self.transmit()


async def answer_http1(reader, writer):
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            words = head.split(b"\r\n")[0].split(b" ")
            fields = {line.split(b":")[0].lower(): line.split(b":", 1)[1].strip() for line in head.split(b"\r\n")[1:-2]}
            length = int(fields.get(b"content-length", b"0"))
            if length:
                await reader.readexactly(length)
            body = b"HTTP/1.1 " + words[1]
            more = b"".join(b"Alt-Svc: %s\r\n" % value.encode() for value in alternatives(words[1]))
            writer.write(b"HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s" % (more, len(body), body))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
        pass
    finally:
        writer.close()


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def tunnel(reader, writer):
    try:
        await reader.readuntil(b"\r\n\r\n")
        remote_reader, remote_writer = await asyncio.open_connection("127.0.0.1", port)
    except (asyncio.IncompleteReadError, OSError):
        writer.close()
        return
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    await asyncio.gather(pump(reader, remote_writer), pump(remote_reader, writer))


def bind():
    """Returns sockets of TCP and UDP with the same port, or one of UDP with the port that is given."""
    if len(sys.argv) > 5:
        datagram = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagram.bind(("127.0.0.1", int(sys.argv[5])))
        return None, datagram
    while True:
        stream = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        stream.bind(("127.0.0.1", 0))
        datagram = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            datagram.bind(stream.getsockname())
            return stream, datagram
        except OSError:
            stream.close()
            datagram.close()


async def read_commands(loop):
    global released
    while True:
        line = await loop.run_in_executor(None, sys.stdin.readline)
        if line == "die\n" or not line:
            os._exit(0)
        if line == "release\n":
            released = True
            for server, stream in held:
                server.finish(stream)
            held.clear()
        else:
            tell(line.strip())


async def main():
    global port
    udp, tcp, certificate, key = sys.argv[1:5]
    loop = asyncio.get_running_loop()
    stream, datagram = bind()
    port = datagram.getsockname()[1]
    if udp in ("http3", "asking"):
        if udp == "asking":
            aioquic.tls.Context = AskingContext
        configuration = QuicConfiguration(alpn_protocols=H3_ALPN, is_client=False, idle_timeout=300)
        configuration.load_cert_chain(certificate, key)
        server = lambda: QuicServer(configuration=configuration, create_protocol=Server)
        await loop.create_datagram_endpoint(server, sock=datagram)
    elif udp == "silent":
        await loop.create_datagram_endpoint(Silent, sock=datagram)
    else:
        datagram.close()
    if tcp == "http1":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.set_alpn_protocols(["http/1.1"])
        await asyncio.start_server(answer_http1, sock=stream, ssl=context)
    elif stream:
        stream.close()
    proxy = await asyncio.start_server(tunnel, "127.0.0.1", 0)
    tell("ready", port, proxy.sockets[0].getsockname()[1])
    await read_commands(loop)


asyncio.run(main())
