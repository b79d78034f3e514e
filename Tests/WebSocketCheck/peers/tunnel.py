"""A proxy that opens tunnels, and nothing else.

    python tunnel.py PORT COUNT_FILE

It adds a line to the file for each tunnel.
"""
import asyncio
import contextlib
import sys


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Sends on what arrives, and then closes that direction."""
    with contextlib.suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
        writer.write_eof()


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Opens the tunnel that a connection asks for."""
    server = None
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        method, target, _ = head.partition("\r\n")[0].split(" ")
        if method != "CONNECT":
            writer.write(b"HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n")
            return
        host, _, port = target.rpartition(":")
        far, server = await asyncio.open_connection(host.strip("[]"), int(port))
        with open(sys.argv[2], "a") as file:
            file.write(f"{target}\n")
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(copy(reader, server), copy(far, writer))
    except (OSError, ValueError, asyncio.IncompleteReadError):
        pass
    finally:
        for each in (writer, server):
            if each:
                each.close()


async def main() -> None:
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]), backlog=1024)
    await server.serve_forever()


asyncio.run(main())
