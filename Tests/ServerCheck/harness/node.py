"""Node.js, with a script of ours."""
import json
import signal
from pathlib import Path

from .conditions import CONDITIONS, ONE_STREAM
from .server import Entry, Server, output, program


class Node(Server):
    """Answers with the path when a request has ended."""

    name = "node"
    conditions = {1: [each for each in CONDITIONS if each != ONE_STREAM], 2: CONDITIONS}
    unsteady = [ONE_STREAM]

    @classmethod
    def version(cls) -> str:
        return output(program("node"), "-v").lstrip("v")

    def command(self) -> list[str]:
        condition = self.condition
        settings = {
            "plain": self.plain, "tls": self.tls, "log": str(self.folder / "access.log"),
            "certificate": str(self.certificates / "good.pem"), "key": str(self.certificates / "good.key"),
            "requests": condition.requests, "idle": condition.idle, "streams": condition.streams,
            "head": condition.head,
        }
        return [program("node"), str(Path(__file__).with_name("node_server.js")), json.dumps(settings)]

    def reload(self) -> None:
        self.signal(signal.SIGHUP)

    def entries(self) -> list[Entry]:
        return self.words("access.log")
