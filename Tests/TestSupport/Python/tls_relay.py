"""Puts TLS in front of plain ports of this machine.

One process serves any number of relays. Each line of standard input is a command in JSON:

    {"start": 1, "target": PORT, "certificate": FILE, "key": FILE, "protocols": ["h2"], "mismatch": "ignore",
     "version": "1.3", "end": "close_notify", "records": "written", "length": 0, "greeting": "", "closes": false}
    {"stop": 1}

Each line of standard output is an event:

    ready RELAY PORT
    agreed RELAY CONNECTION PROTOCOL      the handshake ended; the protocol is "-" without ALPN
    refused RELAY CONNECTION              the handshake failed, or agreed on nothing
    sent RELAY CONNECTION TOTAL           bytes of the server that were encrypted and handed to the system

The process ends when standard input does.
"""

import json
import os
import select
import socket
import ssl
import struct
import sys
import threading
import time

LARGEST_RECORD = 16384
BACKLOG = 1 << 18
LINGERING = 3.0
PATIENCE = 60.0

output_lock = threading.Lock()


def tell(*words):
    with output_lock:
        os.write(1, (" ".join(str(word) for word in words) + "\n").encode())


class Ended(Exception):
    """The connection is over."""


def close(connection, reset=False):
    if reset:
        try:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            pass
    connection.close()


def wait(readable, writable, timeout):
    """Waits as select.select() does, which takes no descriptor above 1,023."""
    poll = select.poll()
    for connection in {*readable, *writable}:
        poll.register(
            connection,
            (select.POLLIN if connection in readable else 0) | (select.POLLOUT if connection in writable else 0),
        )
    events = dict(poll.poll(None if timeout is None else timeout * 1000))
    # An end or an error is told by the next call, whichever it is.
    return (
        [each for each in readable if events.get(each.fileno(), 0) & ~select.POLLOUT],
        [each for each in writable if events.get(each.fileno(), 0) & ~select.POLLIN],
    )


class Relay:
    def __init__(self, command):
        self.number = command["start"]
        self.target = command["target"]
        self.protocols = command["protocols"]
        self.mismatch = command["mismatch"]
        self.end = command["end"]
        self.records = command["records"]
        self.length = command["length"] or LARGEST_RECORD
        self.greeting = bytes.fromhex(command["greeting"])
        self.closes = command["closes"]
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(command["certificate"], command["key"])
        if self.protocols:
            self.context.set_alpn_protocols(self.protocols)
        if command.get("requires_certificate"):
            self.context.verify_mode = ssl.CERT_REQUIRED
        versions = {"1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3}
        if command["version"] in versions:
            self.context.minimum_version = versions[command["version"]]
            self.context.maximum_version = versions[command["version"]]
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.connections = set()
        self.lock = threading.Lock()
        self.is_stopped = False

    def run(self):
        tell("ready", self.number, self.listener.getsockname()[1])
        count = 0
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                if self.is_stopped:
                    return
                # The client has given up meanwhile, or descriptors are short: the next one must not wait for ever.
                continue
            count += 1
            with self.lock:
                self.connections.add(client)
                if self.is_stopped:
                    close(client)
                    return
            try:
                threading.Thread(target=self.serve, args=(client, count), daemon=True).start()
            except RuntimeError:
                # There are too many threads. The client must not wait for ever, nor the next one.
                with self.lock:
                    self.connections.discard(client)
                    close(client)

    def stop(self):
        with self.lock:
            self.is_stopped = True
            # Under the lock, so that none is closed meanwhile and its number given to another.
            for connection in self.connections:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        # A thread that waits in accept() is not woken by close().
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.listener.close()

    def serve(self, client, number):
        reset = False
        try:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Connection(self, client, number).run()
        except ConnectionResetError:
            reset = True
        except Exception:
            # Whatever it is, the client must not wait for ever.
            pass
        with self.lock:
            self.connections.discard(client)
            close(client, reset)


class Connection:
    def __init__(self, relay, client, number):
        self.relay = relay
        self.client = client
        self.number = number
        self.incoming = ssl.MemoryBIO()
        self.outgoing = ssl.MemoryBIO()
        self.tls = relay.context.wrap_bio(self.incoming, self.outgoing, server_side=True)
        self.to_client = bytearray()  # encrypted
        self.to_server = bytearray()  # decrypted
        self.collected = bytearray()  # waits to fill a record
        self.total = 0
        self.told = 0
        self.client_ended = False
        self.server_ended = False

    def run(self):
        self.client.settimeout(PATIENCE)
        try:
            self.shake_hands()
        except (OSError, ssl.SSLError, Ended):
            tell("refused", self.relay.number, self.number)
            raise Ended
        self.server = socket.create_connection(("127.0.0.1", self.relay.target))
        try:
            self.server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            tell("agreed", self.relay.number, self.number, self.tls.selected_alpn_protocol() or "-")
            self.client.setblocking(False)
            self.server.setblocking(False)
            self.move()
        finally:
            self.server.close()

    def shake_hands(self):
        relay = self.relay
        hello = b""
        if relay.mismatch == "alert":
            while len(hello) < 5 or len(hello) < 5 + int.from_bytes(hello[3:5], "big"):
                piece = self.client.recv(LARGEST_RECORD)
                if not piece:
                    raise Ended
                hello += piece
            # Names in the extension stand behind their lengths.
            if not any(bytes([len(name)]) + name.encode() in hello for name in relay.protocols):
                # A fatal alert: no_application_protocol.
                self.client.sendall(bytes([21, 3, 3, 0, 2, 2, 120]))
                self.client.shutdown(socket.SHUT_WR)
                raise Ended
            self.incoming.write(hello)
        while True:
            try:
                self.tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                self.client.sendall(self.outgoing.read())
                piece = self.client.recv(LARGEST_RECORD)
                if not piece:
                    raise Ended
                self.incoming.write(piece)
            except ssl.SSLError:
                # The alert says why.
                self.client.sendall(self.outgoing.read())
                raise
        # In one write with the server's last message of the handshake.
        if relay.greeting:
            self.tls.write(relay.greeting)
        if relay.closes:
            try:
                self.tls.unwrap()
            except ssl.SSLError:
                # The client has not answered with the same alert.
                pass
        self.client.sendall(self.outgoing.read())
        if relay.mismatch == "close" and relay.protocols and self.tls.selected_alpn_protocol() is None:
            raise Ended

    def move(self):
        deadline = None
        self.decrypt()
        while True:
            readable, writable = [], []
            if not self.client_ended and len(self.to_server) < BACKLOG:
                readable.append(self.client)
            if not self.server_ended and len(self.to_client) < BACKLOG:
                readable.append(self.server)
            if self.to_client:
                writable.append(self.client)
            if self.to_server:
                writable.append(self.server)
            if not writable and (self.server_ended and self.client_ended):
                return
            timeout = None if deadline is None else max(0, deadline - time.monotonic())
            readable, writable = wait(readable, writable, timeout)
            if deadline is not None and time.monotonic() >= deadline:
                return
            if self.client in readable:
                self.receive_from_client()
            if self.server in readable:
                self.receive_from_server()
                if self.server_ended:
                    deadline = time.monotonic() + LINGERING
            self.flush()

    def flush(self):
        try:
            while self.to_client:
                del self.to_client[: self.client.send(self.to_client)]
        except BlockingIOError:
            pass
        if not self.to_client and self.total > self.told:
            self.told = self.total
            tell("sent", self.relay.number, self.number, self.total)
        if not self.to_client and self.server_ended == "pending":
            self.server_ended = "done"
            self.client.shutdown(socket.SHUT_WR)
        try:
            while self.to_server:
                del self.to_server[: self.server.send(self.to_server)]
        except BlockingIOError:
            pass
        if not self.to_server and self.client_ended == "pending":
            self.client_ended = "done"
            try:
                self.server.shutdown(socket.SHUT_WR)
            except OSError:
                pass

    def receive_from_client(self):
        piece = self.client.recv(1 << 16)
        if not piece:
            self.client_ended = "pending"
            return
        self.incoming.write(piece)
        self.decrypt()

    def decrypt(self):
        try:
            while True:
                piece = self.tls.read(1 << 16)
                if not piece:
                    self.client_ended = "pending"
                    return
                self.to_server += piece
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLZeroReturnError:
            self.client_ended = "pending"
        self.to_client += self.outgoing.read()

    def receive_from_server(self):
        piece = self.server.recv(LARGEST_RECORD)
        if piece:
            self.encrypt(piece)
            return
        self.server_ended = "pending"
        if self.collected:
            self.write(bytes(self.collected))
            self.collected.clear()
        if self.relay.end == "close_notify":
            try:
                self.tls.unwrap()
            except ssl.SSLError:
                pass
            self.to_client += self.outgoing.read()

    def encrypt(self, piece):
        if self.relay.records == "exact":
            self.collected += piece
            while len(self.collected) >= self.relay.length:
                self.write(bytes(self.collected[: self.relay.length]))
                del self.collected[: self.relay.length]
        else:
            for start in range(0, len(piece), self.relay.length):
                self.write(piece[start : start + self.relay.length])

    def write(self, piece):
        """Makes one record."""
        self.tls.write(piece)
        self.to_client += self.outgoing.read()
        self.total += len(piece)


def main():
    relays = {}
    threading.stack_size(256 * 1024)
    for line in sys.stdin:
        command = json.loads(line)
        if "start" in command:
            relay = Relay(command)
            relays[relay.number] = relay
            threading.Thread(target=relay.run, daemon=True).start()
        else:
            relay = relays.pop(command["stop"], None)
            if relay:
                relay.stop()
    os._exit(0)


main()
