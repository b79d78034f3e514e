"""A server of WebSockets with the standard library only, one thread for each connection.

It prints its port, and ends when its standard input does. The path says what it does:

    /echo    sends every message back, and answers a close frame
    /binary  sends "one", the bytes 00 01 02 and "two", and closes with 1000
    /full    closes with 1011 and a reason
    /lost    sends "one", and ends the connection without a close frame
    /silent  reads, and answers nothing, not even a ping
    /name    sends the subprotocol that was offered first, which it chooses, and closes with 1000

Every other path is answered with 404.
"""
import base64
import hashlib
import os
import socketserver
import struct
import sys
import threading

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        path = self.rfile.readline().split()[1].decode()
        fields = {}
        while True:
            line = self.rfile.readline().strip()
            if not line:
                break
            name, _, value = line.partition(b":")
            fields[name.strip().lower()] = value.strip()
        action = getattr(self, path.lstrip("/").partition("?")[0], None) if path.count("/") == 1 else None
        key = fields.get(b"sec-websocket-key")
        if action is None or key is None:
            self.wfile.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone")
            return
        accept = base64.b64encode(hashlib.sha1(key + GUID).digest())
        head = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += b"Sec-WebSocket-Accept: " + accept + b"\r\n"
        self.name_ = fields.get(b"sec-websocket-protocol", b"").split(b",")[0].strip()
        if self.name_:
            head += b"Sec-WebSocket-Protocol: " + self.name_ + b"\r\n"
        self.wfile.write(head + b"\r\n")
        action()

    def send(self, opcode, payload):
        size = len(payload)
        if size < 126:
            head = bytes([0x80 | opcode, size])
        elif size < 1 << 16:
            head = struct.pack("!BBH", 0x80 | opcode, 126, size)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 127, size)
        self.wfile.write(head + payload)

    def receive(self):
        """Returns the next frame: its opcode and its payload; a close frame at the end of the connection."""
        head = self.rfile.read(2)
        if len(head) < 2:
            return CLOSE, b""
        size = head[1] & 0x7F
        if size == 126:
            size, = struct.unpack("!H", self.rfile.read(2))
        elif size == 127:
            size, = struct.unpack("!Q", self.rfile.read(8))
        mask = self.rfile.read(4)
        payload = self.rfile.read(size)
        return head[0] & 0x0F, bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))

    def end(self, code, reason=b""):
        self.send(CLOSE, struct.pack("!H", code) + reason)
        while self.receive()[0] != CLOSE:
            pass

    def echo(self):
        while True:
            opcode, payload = self.receive()
            self.send({PING: PONG}.get(opcode, opcode), payload)
            if opcode == CLOSE:
                return

    def binary(self):
        self.send(TEXT, b"one")
        self.send(BINARY, b"\x00\x01\x02")
        self.send(TEXT, b"two")
        self.end(1000)

    def full(self):
        self.end(1011, b"too many")

    def lost(self):
        self.send(TEXT, b"one")

    def silent(self):
        while self.receive()[0] != CLOSE:
            pass

    def name(self):
        self.send(TEXT, self.name_)
        self.end(1000)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
os._exit(0)
