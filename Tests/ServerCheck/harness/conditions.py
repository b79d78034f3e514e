"""What a server does to its connections while requests are sent to it."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Condition:
    """How a server is set up, and what happens to it."""

    name: str
    # After how many requests the server closes a connection; None for never.
    requests: int | None = None
    # After how many idle milliseconds the server closes a connection; None for a long time.
    idle: int | None = None
    # How many streams of a connection may be open at once; None for the server's usual number.
    streams: int | None = None
    # How many kilobytes of fields requests and responses have.
    head: int = 0
    # How many requests are under way at once over HTTP/1.1, each on a connection of its own.
    parallel: int = 50
    # Whether the server's configuration is read anew again and again.
    reloads: bool = False
    # How much of the usual number of requests is sent.
    share: float = 1
    # How many requests are sent at least, so that the condition comes about.
    minimum: int = 100


PLAIN = Condition("plain")
RELOAD = Condition("reload", reloads=True)
CLOSE_1000 = Condition("1,000 requests a connection", requests=1000, parallel=10, minimum=1500)
CLOSE_10 = Condition("10 requests a connection", requests=10, share=0.5)
IDLE = Condition("idle close", idle=200, share=0.02)
ONE_STREAM = Condition("1 stream", streams=1, share=0.25)
HEADS_4 = Condition("heads of 4 KB", head=4, share=0.25)
HEADS_20 = Condition("heads of 20 KB", head=20, share=0.1)

CONDITIONS = [PLAIN, RELOAD, CLOSE_1000, CLOSE_10, IDLE, ONE_STREAM, HEADS_4, HEADS_20]
