"""A server of wsproto on plain sockets, a thread for each, that sends each message back.

A message comes back in as many frames as it arrived in pieces, so that clients get fragments.

    python echo_wsproto.py PORT
"""
import contextlib
import socketserver
import sys

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, BytesMessage, CloseConnection, Ping, Request, TextMessage
from wsproto.extensions import PerMessageDeflate


class Echo(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        connection = WSConnection(ConnectionType.SERVER)
        with contextlib.suppress(OSError):
            while data := self.request.recv(1 << 16):
                connection.receive_data(data)
                for event in connection.events():
                    self.answer(connection, event)
                    if isinstance(event, CloseConnection):
                        return

    def answer(self, connection: WSConnection, event) -> None:
        if isinstance(event, Request):
            self.send(connection, AcceptConnection(extensions=[PerMessageDeflate()]))
        elif isinstance(event, (TextMessage, BytesMessage)):
            kind = type(event)
            self.send(connection, kind(data=event.data, message_finished=event.message_finished))
        elif isinstance(event, (Ping, CloseConnection)):
            self.send(connection, event.response())

    def send(self, connection: WSConnection, event) -> None:
        self.request.sendall(connection.send(event))


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 1024


Server(("127.0.0.1", int(sys.argv[1])), Echo).serve_forever()
