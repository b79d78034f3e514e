"""A server of the package websockets that sends each message back.

    python echo_websockets.py PORT TLS_PORT CERTIFICATE KEY
"""
import asyncio
import signal
import ssl
import sys

from websockets.asyncio.server import serve

LARGEST = 1 << 25


async def echo(socket) -> None:
    async for message in socket:
        await socket.send(message)


async def main() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3], sys.argv[4])
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    settings = {"max_size": LARGEST, "ping_interval": None, "backlog": 1024}
    async with serve(echo, "127.0.0.1", int(sys.argv[1]), **settings):
        async with serve(echo, "127.0.0.1", int(sys.argv[2]), ssl=context, **settings):
            # Then it closes its sockets with 1001.
            await ended.wait()


asyncio.run(main())
