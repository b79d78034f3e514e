"""Compares what a client has got with what a server has logged."""
import re
from collections import Counter
from dataclasses import dataclass, field

from .clients import Job
from .server import Entry

# The kinds of error by which a POST may end that the server may have processed: the connection or the stream ended.
# Ours, then curl's exit codes, then async-http-client's.
MAY_BE_PROCESSED = {
    "connectionLost", "truncatedBody", "http2",
    "16", "18", "52", "55", "56", "92",
    "HTTPClientError.remoteConnectionClosed", "HTTPClientError.cancelled", "StreamClosed", "ChannelError", "IOError",
}


@dataclass
class Verdict:
    """What became of the requests of a job."""

    count: int = 0
    # Requests that failed although they could have been answered: GETs with an error, POSTs with an error that says
    # nothing of the connection, or that an HTTP/2 server had not processed, and requests that did not end.
    lost: int = 0
    # Responses that are not the request's.
    wrong: int = 0
    # POSTs that the server has received more than once.
    duplicated: int = 0
    # POSTs that ended in an error because the connection did, so that the client could not know whether they were
    # processed.
    uncertain: int = 0
    # Those of them that the server has logged.
    processed: int = 0
    # Responses that the server's log knows nothing of, and requests over another version of HTTP.
    unlike_log: int = 0
    connections: int = 0
    requests: int = 0
    reloads: int = 0
    seconds: float = 0
    # Each kind of error, and how often it was seen.
    errors: dict[str, int] = field(default_factory=dict)

    @property
    def reused(self) -> int:
        """How many requests went over a connection that was there already."""
        return max(0, self.requests - self.connections)

    @property
    def is_clean(self) -> bool:
        """Whether nothing was lost, wrong or duplicated, and the log agrees."""
        return not (self.lost or self.wrong or self.duplicated or self.unlike_log)


def without_numbers(text: str) -> str:
    """An error's text without the numbers of the request and its stream, so that equal errors can be counted."""
    return re.sub(r"(/r\d+/|stream |localhost:)\d+", r"\1N", text)


def judge(job: Job, prefix: str, outcomes: dict[int, str], entries: list[Entry]) -> Verdict:
    """Compares the outcomes of a job with the entries of the log that begin with its prefix."""
    verdict = Verdict(count=job.count)
    received: Counter[int] = Counter()
    connections = set()
    start = f"/{prefix}/"
    for entry in entries:
        if not entry.path.startswith(start) or not entry.path[len(start):].isdigit():
            continue
        received[int(entry.path[len(start):])] += 1
        connections.add(entry.connection)
        verdict.unlike_log += entry.version != job.version
    verdict.requests, verdict.connections = received.total(), len(connections)
    errors: Counter[str] = Counter()
    for number in range(1, job.count + 1):
        word, _, rest = outcomes.get(number, "error no-end").partition(" ")
        if word == "ok":
            verdict.unlike_log += received[number] == 0
        elif word == "wrong":
            verdict.wrong += 1
            errors[f"wrong {without_numbers(rest)}"] += 1
        else:
            kind = rest.partition(" ")[0]
            errors[without_numbers(rest)[:200]] += 1
            # Over HTTP/2 a server tells which requests it has not processed; over HTTP/1.1 it cannot.
            is_untold = job.version == 1 or received[number] > 0
            if job.post and kind in MAY_BE_PROCESSED and is_untold:
                verdict.uncertain += 1
                verdict.processed += received[number] > 0
            else:
                verdict.lost += 1
        verdict.duplicated += job.post and received[number] > 1
    verdict.errors = dict(errors.most_common(5))
    return verdict
