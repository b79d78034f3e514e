"""Echoes what it is sent, on a port that it prints, until its standard input ends."""
import asyncio
import resource
import socket
import sys

import uvloop
from picows import WSListener, WSMsgType, ws_create_server


class Echo(WSListener):
    def on_ws_frame(self, transport, frame):
        if frame.msg_type == WSMsgType.CLOSE:
            transport.send_close(frame.get_close_code(), b"")
            transport.disconnect()
        else:
            transport.send(frame.msg_type, frame.get_payload_as_memoryview())


async def main():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    listening = socket.create_server(("127.0.0.1", 0), backlog=4096)
    await ws_create_server(lambda _: Echo(), sock=listening)
    print(listening.getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


uvloop.run(main())
