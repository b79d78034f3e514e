"""nghttpd, the server of nghttp2, which serves files and speaks nothing but HTTP/2."""
import re

from .conditions import ONE_STREAM, PLAIN
from .server import Entry, Server, output, program

LINE = re.compile(r"^\[id=(\d+)\].* recv \(stream_id=(\d+)\) :(method|path): (.*)$")


class Nghttpd(Server):
    """Answers a GET with a file that holds its path, and a POST with its body."""

    name = "nghttpd"
    versions = (2,)
    conditions = {2: [PLAIN, ONE_STREAM]}
    unsteady = [ONE_STREAM]
    echoes_body = True

    @classmethod
    def version(cls) -> str:
        return output(program("nghttpd"), "--version").split("/")[-1]

    def command(self) -> list[str]:
        (self.folder / "files").mkdir()
        return [
            program("stdbuf"), "-oL", program("nghttpd"), "-v", "--echo-upload", "--htdocs", str(self.folder / "files"),
            "-a", "127.0.0.1", "-m", str(self.condition.streams or 100), str(self.tls),
            str(self.certificates / "good.key"), str(self.certificates / "good.pem"),
        ]

    def prepare(self, prefix: str, count: int) -> None:
        folder = self.folder / "files" / prefix
        folder.mkdir()
        for number in range(1, count + 1):
            (folder / str(number)).write_text(f"/{prefix}/{number}")

    def entries(self) -> list[Entry]:
        streams: dict[tuple[str, str], dict[str, str]] = {}
        for line in self.lines("output"):
            if match := LINE.match(line):
                streams.setdefault((match[1], match[2]), {})[match[3]] = match[4]
        return [Entry(key[0], each.get("method", ""), each.get("path", ""), 2) for key, each in streams.items()]
