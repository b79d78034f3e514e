"""Large bodies: whole commands, beside the curl command, on the same file."""
import filecmp
import os

from harness.servers import Nginx
from harness.tools import Failure, lines, output

KINDS = ("download", "upload", "read")
# The same client, with the task that moves the body on its event loop.
LOOP = "PiuPiu on the loop"


def run(run):
    size = (32 if run.smoke else 256) << 20
    clients = [("PiuPiu", run.programs["Load"]), (LOOP, run.programs["Load"]), ("curl", "curl")]
    if run.peers:
        clients.append(("async-http-client", run.programs.peer("PeerLoad")))
    with Nginx() as server:
        prepare(server, size)
        for kind in KINDS:
            print(f"  {kind} {size >> 20} MiB", flush=True)
            for number in range(1 if run.smoke else 7):
                for place in range(len(clients)):
                    name, program = clients[(place + number) % len(clients)]
                    run.attempt(
                        True, lambda: measure(run.programs, server, name, program, kind, size),
                        kind=kind, mib=size >> 20, client=name, round=number,
                    )
        print("  read slowly", flush=True)
        run.attempt(
            True, lambda: measure(run.programs, server, "PiuPiu", run.programs["Load"], "read", size, pause=1),
            kind="slow read", mib=size >> 20, client="PiuPiu", round=0,
        )


def prepare(server, size):
    with open(server.folder / "large.bin", "wb") as file:
        for _ in range(size >> 20):
            file.write(os.urandom(1 << 20))


def measure(programs, server, name, program, kind, size, pause=0):
    large, saved = server.folder / "large.bin", server.folder / "out.bin"
    stored = server.folder / "stored" / "large.bin"
    for file in (stored, saved):
        file.unlink(missing_ok=True)
    # No client must pay for what another one left to be written to the disk.
    os.sync()
    url = server.url("http", "put/large.bin" if kind == "upload" else "large.bin")
    if name == "curl":
        target = {"download": ["-o", saved], "upload": ["-T", large], "read": ["-o", "/dev/null"]}[kind]
        command = [program, "-sS", "--fail", *target, url]
    else:
        file = saved if kind == "download" else large
        command = [
            program, f"client={name}", f"kind={kind}", f"url={url}", f"file={file}", f"length={size}",
            f"pause-ms={pause}",
        ]
    report = server.folder / "report"
    found = lines(output([programs["Measured"], report, *command], 120))
    result = {k: v for line in found for k, v in line.items() if k != "client"}
    result.update(lines(report.read_text())[0])
    arrived = {"download": saved, "upload": stored}.get(kind)
    if arrived and not filecmp.cmp(large, arrived, shallow=False):
        raise Failure(f"{name} {kind}: the file is not the same")
    return result
