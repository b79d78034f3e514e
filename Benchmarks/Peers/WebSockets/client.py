"""The load of Sources/LoadKit/SocketLoad.swift with Python's websockets: client.py URL LENGTH SOCKETS SECONDS PID-OF-SERVER"""
import asyncio
import json
import sys
import time

from websockets.asyncio.client import connect


async def echo(socket, message, end):
    count = 0
    while True:
        await socket.send(message)
        if len(await socket.recv()) != len(message):
            raise ValueError("an echo has another length")
        count += 1
        if time.perf_counter() >= end:
            return count


def server_time(process):
    with open(f"/proc/{process}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[0]) * 1e-9


async def main(url, length, sockets, seconds, server):
    message = bytes(number % 256 for number in range(length))
    opened = [await connect(url, compression=None, ping_interval=None, proxy=None) for _ in range(sockets)]

    async def all_until(end):
        return sum(await asyncio.gather(*(echo(socket, message, end) for socket in opened)))

    await all_until(time.perf_counter() + min(seconds / 4, 0.25))
    start, used, served = time.perf_counter(), time.process_time(), server_time(server)
    count = await all_until(start + seconds)
    wall, used, served = time.perf_counter() - start, time.process_time() - used, server_time(server) - served
    await asyncio.gather(*(socket.close() for socket in opened))
    print(json.dumps({
        "count": count, "rate": count / wall, "latency_us": wall / count * sockets * 1e6, "cpu_us": used / count * 1e6,
        "load": used / wall, "server_load": served / wall,
    }))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])))
