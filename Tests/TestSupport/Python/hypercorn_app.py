"""Serves HTTP/2 without TLS, and HTTP/1.1, on one port with Hypercorn.

Standard output tells `ready PORT`. The process ends when standard input does.

Paths:

    /count    reads the body, and answers with its length and the version of HTTP
    /echo     sends each piece of the body back as it comes
    /mega     1 MiB of x, in pieces of 1 KiB, without a length
    /half     a piece, and then the application fails

A WebSocket gets its messages back, and first "HTTP/" with the version of HTTP.
"""
import asyncio
import logging
import os
import socket
import sys
import threading

from hypercorn.asyncio import serve
from hypercorn.config import Config


async def echo(scope, receive, send):
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": f"HTTP/{scope['http_version']}"})
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            return
        await send({"type": "websocket.send", "bytes": message.get("bytes"), "text": message.get("text")})


async def app(scope, receive, send):
    if scope["type"] == "websocket":
        return await echo(scope, receive, send)
    if scope["type"] != "http":
        return

    async def begin():
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})

    async def write(body, more=True):
        await send({"type": "http.response.body", "body": body, "more_body": more})

    async def pieces():
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            yield message.get("body", b"")
            if not message.get("more_body"):
                return

    if scope["path"] == "/echo":
        await begin()
        async for piece in pieces():
            await write(piece)
        return await write(b"", False)
    length = 0
    async for piece in pieces():
        length += len(piece)
    await begin()
    if scope["path"] == "/mega":
        for _ in range(1024):
            await write(b"x" * 1024)
        await write(b"", False)
    elif scope["path"] == "/half":
        await write(b"half")
        raise RuntimeError
    else:
        await write(f"{length} HTTP/{scope['http_version']}".encode(), False)


def end_with_input():
    sys.stdin.read()
    os._exit(0)


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
config = Config()
config.bind = [f"fd://{listener.fileno()}"]
config.errorlog = None
logging.disable()
threading.Thread(target=end_with_input, daemon=True).start()
# Hypercorn listens on the socket too; until then, connections wait.
listener.listen(4096)
print("ready", listener.getsockname()[1], flush=True)
asyncio.run(serve(app, config))
