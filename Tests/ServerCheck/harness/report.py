"""Writes results: as lines while they come, and as a table."""
import datetime
import json
import os
import platform
from dataclasses import asdict
from pathlib import Path

from .matrix import Cell
from .verdict import Verdict


def line(cell: Cell, verdict: Verdict) -> str:
    """A result in words."""
    title = f"{cell.server}, HTTP/{cell.version}, {cell.method}, {cell.condition}, {cell.client}"
    text = f"{title}: {verdict.count} requests in {verdict.seconds} s, {verdict.lost} lost, {verdict.wrong} wrong, "
    text += f"{verdict.duplicated} duplicated, {verdict.reused} reused"
    if verdict.reloads:
        text += f", {verdict.reloads} reloads"
    if verdict.uncertain:
        text += f", {verdict.uncertain} uncertain ({verdict.processed} of them processed)"
    if verdict.unlike_log:
        text += f", {verdict.unlike_log} unlike the log"
    for error, count in verdict.errors.items():
        text += f"\n    {count} x {error}"
    return text


def machine() -> str:
    """The machine and its system."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores, {memory:.0f} GB of memory, Linux {platform.release()}, {platform.machine()}"


INTRODUCTION = """# Servers that nobody here wrote

What `Scripts/check-servers` found when it was last run in its long form. Numbered requests go to a server, 50 at a
time, over HTTP/1.1 without TLS or over HTTP/2 with TLS. The outcome of each is compared with the server's log. A cell
shows how many were **lost / wrong / duplicated**, and, in brackets, how many went over a connection that was already
open. A cell that begins with *of* had another number of requests than its row.

- *Lost*: a GET ended in an error; a POST ended in an error of another kind than a broken connection, or in any error if
  an HTTP/2 server had not processed it; or a request did not end.
- *Wrong*: the response was not that request's, or its status was not 200.
- *Duplicated*: the server received a POST more than once.
- *?*: POSTs that ended in an error because their connection did, so that the client could not know whether they were
  processed, and how many of them the server had logged. Over HTTP/1.1, PiuPiu never repeats them. curl does, if the
  connection had been used before and no byte of a response had come.
- *!*: responses that the server's log does not know, or that came over another version of HTTP.

In the condition *reload* the server reads its configuration anew while requests arrive. In *idle close* it closes
connections that are idle for 200 ms, and 20 clients pause for 190 to 210 ms before each request. In *1 stream* it
allows one request at a time on a connection. Heads of 4 KB and 20 KB are those of requests and responses. Over
HTTP/1.1, 10 requests are under way at once in the condition *1,000 requests a connection*.
"""


def cell_text(verdict: Verdict | None, count: int) -> str:
    """A result as a cell of the table, in a row for a number of requests."""
    if not verdict:
        return "–"
    text = f"{verdict.lost} / {verdict.wrong} / {verdict.duplicated} ({verdict.reused:,})"
    if verdict.count != count:
        text = f"of {verdict.count:,}: {text}"
    if not verdict.is_clean:
        text = f"**{text}**"
    if verdict.uncertain:
        text += f" ? {verdict.uncertain}, {verdict.processed} logged"
    if verdict.unlike_log:
        text += f" ! {verdict.unlike_log}"
    return text


def summary(results: dict[Cell, Verdict], titles: list[str]) -> list[str]:
    """A table of what each client lost in all cells together, for each version of HTTP."""
    text = ["", "## All cells together", "", "| | client | requests | lost | wrong | duplicated | uncertain | reused |"]
    text.append("|---|---|---:|---:|---:|---:|---:|---:|")
    for version in (1, 2):
        for title in titles:
            some = [each for cell, each in results.items() if (cell.version, cell.client) == (version, title)]
            if not some:
                continue
            sums = [sum(getattr(each, name) for each in some)
                    for name in ("count", "lost", "wrong", "duplicated", "uncertain", "reused")]
            name = "HTTP/2" if version == 2 else "HTTP/1.1"
            text.append(f"| {name} | {title} | {' | '.join(f'{number:,}' for number in sums)} |")
    return text


def table(results: dict[Cell, Verdict], versions: dict[str, str]) -> str:
    """The whole document."""
    titles = list(dict.fromkeys(cell.client for cell in results))
    text = [INTRODUCTION, f"- Date: {datetime.date.today()}", f"- Machine: {machine()}"]
    text += [f"- {name}: {version}" for name, version in versions.items()]
    text += summary(results, titles)
    rows: dict[tuple, dict[str, Verdict]] = {}
    for cell, verdict in results.items():
        rows.setdefault((cell.server, cell.version, cell.method, cell.condition), {})[cell.client] = verdict
    for server in dict.fromkeys(key[0] for key in rows):
        for version in (1, 2):
            some = {key: row for key, row in rows.items() if key[:2] == (server, version)}
            if not some:
                continue
            shown = [title for title in titles if any(title in row for row in some.values())]
            text += ["", f"## {server}, {'HTTP/2' if version == 2 else 'HTTP/1.1'}", ""]
            text += [f"| condition | requests | {' | '.join(shown)} |", "|---" * (len(shown) + 2) + "|"]
            for key, row in some.items():
                count = next(iter(row.values())).count
                cells = " | ".join(cell_text(row.get(title), count) for title in shown)
                text.append(f"| {key[3]} | {count:,} {key[2]} | {cells} |")
    return "\n".join(text) + "\n"


def save(path: Path, results: dict[Cell, Verdict], versions: dict[str, str]) -> None:
    """Saves results, so that a later run can add to them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = [[asdict(cell), asdict(verdict)] for cell, verdict in results.items()]
    path.write_text(json.dumps({"versions": versions, "cells": cells}))


def load(path: Path) -> tuple[dict[Cell, Verdict], dict[str, str]]:
    """The results that were saved, and the versions of what they were got with."""
    if not path.exists():
        return {}, {}
    saved = json.loads(path.read_text())
    return {Cell(**cell): Verdict(**verdict) for cell, verdict in saved["cells"]}, saved["versions"]
