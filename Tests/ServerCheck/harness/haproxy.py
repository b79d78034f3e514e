"""HAProxy, which answers by itself."""
import signal

from .conditions import HEADS_20, HEADS_4, IDLE, ONE_STREAM, PLAIN, RELOAD
from .server import Entry, Server, output, program


class HAProxy(Server):
    """Answers with the path. `http-buffer-request` has it read bodies; otherwise it resets the streams of POSTs."""

    name = "haproxy"
    conditions = {
        1: [PLAIN, RELOAD, IDLE, HEADS_4, HEADS_20],
        2: [PLAIN, RELOAD, IDLE, ONE_STREAM, HEADS_4, HEADS_20],
    }
    unsteady = [ONE_STREAM]

    @classmethod
    def version(cls) -> str:
        return output(program("haproxy"), "-v").split()[2].split("-")[0]

    def command(self) -> list[str]:
        condition, folder = self.condition, self.folder
        pair = [(self.certificates / f"good.{suffix}").read_text() for suffix in ("pem", "key")]
        (folder / "both.pem").write_text("".join(pair))
        fields = self.fields("    http-after-response set-header {name} {value}")
        (folder / "haproxy.cfg").write_text(f"""
global
    log stdout format raw local0
    stats socket {folder}/admin level admin expose-fd listeners
    maxconn 4096
    # Two threads that log at the same moment lose a line.
    nbthread 1
    tune.bufsize 131072
    tune.h2.max-concurrent-streams {condition.streams or 100}
defaults
    mode http
    log global
    option http-buffer-request
    timeout connect 10s
    timeout server 60s
    timeout client 60s
    timeout http-keep-alive {condition.idle or 60_000}ms
frontend check
    bind 127.0.0.1:{self.plain}
    bind 127.0.0.1:{self.tls} ssl crt {folder}/both.pem alpn h2,http/1.1
    log-format "%cp %HM %HPO %HV"
{fields}
    http-request return status 200 content-type text/plain lf-string "%[path]"
""")
        return [program("haproxy"), "-W", "-f", str(folder / "haproxy.cfg")]

    def reload(self) -> None:
        self.signal(signal.SIGUSR2)

    def entries(self) -> list[Entry]:
        return self.words("output")
