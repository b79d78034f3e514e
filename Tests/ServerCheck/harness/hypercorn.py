"""Hypercorn, a server of Python, in an environment of its own below .build."""
import subprocess
import sys
from pathlib import Path

from .conditions import CLOSE_10, CLOSE_1000, HEADS_20, HEADS_4, IDLE, ONE_STREAM, PLAIN
from .server import Entry, Missing, Server

RELEASE = "0.18.0"
ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / ".build" / "servers" / f"hypercorn-{RELEASE}"


class Hypercorn(Server):
    """Answers with the path when a request has ended."""

    name = "hypercorn"
    conditions = {
        1: [PLAIN, CLOSE_1000, CLOSE_10, IDLE, HEADS_4, HEADS_20],
        2: [PLAIN, CLOSE_1000, CLOSE_10, IDLE, ONE_STREAM, HEADS_4, HEADS_20],
    }
    unsteady = [CLOSE_1000, CLOSE_10, IDLE, ONE_STREAM]
    share = 0.25

    @classmethod
    def version(cls) -> str:
        if not (FOLDER / "bin" / "hypercorn").exists():
            try:
                subprocess.run([sys.executable, "-m", "venv", str(FOLDER)], check=True, capture_output=True)
                install = [str(FOLDER / "bin" / "pip"), "install", "-q", f"hypercorn=={RELEASE}"]
                subprocess.run(install, check=True, capture_output=True, timeout=120)
            except (OSError, subprocess.SubprocessError) as error:
                raise Missing(f"Hypercorn cannot be installed: {error}") from None
        return RELEASE

    def command(self) -> list[str]:
        condition, folder = self.condition, self.folder
        (folder / "settings.toml").write_text(f"""
            bind = ["127.0.0.1:{self.tls}"]
            insecure_bind = ["127.0.0.1:{self.plain}"]
            certfile = "{self.certificates}/good.pem"
            keyfile = "{self.certificates}/good.key"
            backlog = 4096
            keep_alive_timeout = {(condition.idle or 60_000) / 1000}
            keep_alive_max_requests = {condition.requests or 1_000_000}
            h2_max_concurrent_streams = {condition.streams or 100}
            h2_max_header_list_size = 262144
            h11_max_incomplete_size = 262144
            """)
        (folder / "app.py").write_text(
            f"import sys\nsys.path.insert(0, {str(Path(__file__).parent)!r})\n"
            f"from hypercorn_app import App\napp = App({str(folder / 'access.log')!r}, {condition.head})\n"
        )
        return [str(FOLDER / "bin" / "hypercorn"), "--config", "settings.toml", "app:app"]

    def entries(self) -> list[Entry]:
        return self.words("access.log")
