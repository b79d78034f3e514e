"""The servers and proxies, and the ways to reach each."""
import contextlib
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from harness.conditions import PLAIN
from harness.server import Missing, Server, output, program

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


@dataclass(frozen=True)
class Way:
    """A way to reach a server."""

    tls: bool = False
    # The use of HTTP/2: never, automatic or preferred.
    http2: str = "never"
    # The expected version of HTTP.
    version: int = 1
    compressed: bool = False
    # Whether messages may refer to those before, if they are compressed.
    keeps_context: bool = True
    # Whether the server speaks HTTP/2 without TLS.
    cleartext: bool = False
    # Whether the connection goes through a tunnel of a proxy.
    tunnel: bool = False

    @property
    def title(self) -> str:
        words = ["TLS" if self.tls else "plain"]
        words.append("HTTP/2" if self.version == 2 else "HTTP/1.1")
        if self.http2 != "never" and self.version == 1:
            words.append(f"(HTTP/2 {self.http2})")
        words += ["compressed"] * self.compressed + ["without context"] * (not self.keeps_context)
        words += ["tunnel"] * self.tunnel
        return " ".join(words)


class Peer(Server):
    """The base of the servers. Each listens on `plain`, and on `tls` if it has TLS."""

    has_tls = True

    def __init__(self, certificates: Path, backend: "Peer | None" = None):
        super().__init__(PLAIN, certificates)
        # The server behind a proxy.
        self.backend = backend

    @property
    def ready_ports(self) -> list[int]:
        return [self.plain, self.tls] if self.has_tls else [self.plain]

    @classmethod
    def ways(cls) -> list[Way]:
        """The ways to reach it."""
        raise NotImplementedError

    def start(self) -> None:
        if self.backend and not self.backend.process:
            self.backend.start()
        super().start()

    def discard(self) -> None:
        super().discard()
        if self.backend:
            self.backend.discard()

    def kill(self) -> None:
        """Ends the server and all its processes at once, without a chance to close anything."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(5)

    def workers(self) -> list[int]:
        """The processes that the server has started."""
        listed = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout
        return [int(line) for line in listed.split()]


class Python(Peer):
    """A server that is a module beside this one."""

    package = ""

    @classmethod
    def version(cls) -> str:
        from importlib.metadata import version
        return version(cls.package)


class Websockets(Python):
    name = "websockets"
    package = "websockets"

    @classmethod
    def ways(cls) -> list[Way]:
        return [
            Way(), Way(compressed=True), Way(tls=True), Way(tls=True, http2="automatic"),
            # The server chooses no protocol by ALPN, so the client must go on with HTTP/1.1.
            Way(tls=True, http2="preferred"), Way(tunnel=True), Way(tls=True, tunnel=True, compressed=True),
        ]

    def command(self) -> list[str]:
        pair = [f"{self.certificates}/good.pem", f"{self.certificates}/good.key"]
        return [sys.executable, str(HERE / "echo_websockets.py"), str(self.plain), str(self.tls), *pair]


class Wsproto(Python):
    name = "wsproto"
    package = "wsproto"
    has_tls = False

    @classmethod
    def ways(cls) -> list[Way]:
        return [Way(), Way(compressed=True)]

    def command(self) -> list[str]:
        return [sys.executable, str(HERE / "echo_wsproto.py"), str(self.plain)]


class Hypercorn(Python):
    name = "hypercorn"
    package = "hypercorn"

    @classmethod
    def ways(cls) -> list[Way]:
        return [
            Way(), Way(compressed=True), Way(tls=True), Way(tls=True, http2="preferred", version=2),
            Way(tls=True, http2="preferred", version=2, compressed=True),
            Way(tls=True, http2="preferred", version=2, tunnel=True),
            Way(http2="preferred", version=2, cleartext=True),
        ]

    def command(self) -> list[str]:
        (self.folder / "settings.toml").write_text(f"""
            bind = ["127.0.0.1:{self.tls}"]
            insecure_bind = ["127.0.0.1:{self.plain}"]
            certfile = "{self.certificates}/good.pem"
            keyfile = "{self.certificates}/good.key"
            backlog = 1024
            websocket_max_message_size = {1 << 25}
            """)
        shutil.copy(HERE / "echo_asgi.py", self.folder)
        return [sys.executable, "-m", "hypercorn", "--config", "settings.toml", "echo_asgi:app"]


class NIO(Peer):
    """A server of SwiftNIO, from a package of its own."""

    name = "swift-nio"
    has_tls = False
    binary = ROOT / ".build" / "websocket-nio" / "release" / "NIOServer"

    @classmethod
    def version(cls) -> str:
        if os.environ.get("WEBSOCKET_CHECK_BUILDS") == "no" and not cls.binary.exists():
            raise Missing("its server is not built")
        if os.environ.get("WEBSOCKET_CHECK_BUILDS") != "no":
            build = ["swift", "build", "-c", "release", "--package-path", str(HERE.parent / "NIOServer"),
                     "--scratch-path", str(cls.binary.parents[1])]
            done = subprocess.run(build, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode != 0:
                raise Missing(f"its server cannot be built: {done.stdout[-500:]}")
        manifest = (HERE.parent / "NIOServer" / "Package.swift").read_text()
        return manifest.split('exact: "')[1].split('"')[0]

    @classmethod
    def ways(cls) -> list[Way]:
        return [Way(), Way(tunnel=True)]

    def command(self) -> list[str]:
        return [str(self.binary), str(self.plain)]


class Nginx(Peer):
    """nginx, which has HTTP/2 but no WebSockets over it: the client must fall back to HTTP/1.1."""

    name = "nginx"
    # The time for which the processes that a reload replaces keep their sockets.
    patience = "60s"

    @classmethod
    def version(cls) -> str:
        return output(program("nginx"), "-v").split("/")[-1]

    @classmethod
    def ways(cls) -> list[Way]:
        return [
            Way(), Way(tls=True), Way(tls=True, http2="automatic"), Way(tls=True, http2="preferred"),
            Way(tls=True, compressed=True),
        ]

    def command(self) -> list[str]:
        folder = self.folder
        temporary = " ".join(
            f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(f"""
            {"user root;" if os.geteuid() == 0 else ""}
            worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/error.log;
            worker_shutdown_timeout {self.patience};
            events {{ worker_connections 4096; }}
            http {{
                {temporary} access_log off;
                server {{
                    listen 127.0.0.1:{self.plain} backlog=1024;
                    listen 127.0.0.1:{self.tls} ssl http2 backlog=1024;
                    ssl_certificate {self.certificates}/good.pem; ssl_certificate_key {self.certificates}/good.key;
                    location / {{
                        proxy_pass http://127.0.0.1:{self.backend.plain};
                        proxy_http_version 1.1;
                        proxy_set_header Host $http_host;
                        proxy_set_header Upgrade $http_upgrade;
                        proxy_set_header Connection "upgrade";
                        proxy_read_timeout 120s;
                        proxy_send_timeout 120s;
                    }}
                }}
            }}
            """)
        return [program("nginx"), "-p", str(folder), "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"]

    def reload(self) -> None:
        self.signal(signal.SIGHUP)


class HAProxy(Peer):
    """HAProxy, which also has WebSockets over HTTP/2."""

    name = "haproxy"
    # The time for which the processes that a reload replaces keep their sockets.
    patience = "60s"

    @classmethod
    def version(cls) -> str:
        return output(program("haproxy"), "-v").split()[2].split("-")[0]

    @classmethod
    def ways(cls) -> list[Way]:
        return [
            Way(), Way(tls=True), Way(tls=True, http2="preferred", version=2),
            Way(tls=True, http2="preferred", version=2, compressed=True),
            Way(tls=True, http2="preferred", version=2, tunnel=True),
        ]

    def command(self) -> list[str]:
        folder = self.folder
        pair = [(self.certificates / f"good.{suffix}").read_text() for suffix in ("pem", "key")]
        (folder / "both.pem").write_text("".join(pair))
        (folder / "haproxy.cfg").write_text(f"""
global
    stats socket {folder}/admin level admin expose-fd listeners
    maxconn 4096
    hard-stop-after {self.patience}
defaults
    mode http
    timeout connect 10s
    timeout server 120s
    timeout client 120s
    timeout tunnel 120s
frontend check
    bind 127.0.0.1:{self.plain}
    bind 127.0.0.1:{self.tls} ssl crt {folder}/both.pem alpn h2,http/1.1
    default_backend echo
backend echo
    server echo 127.0.0.1:{self.backend.plain}
""")
        return [program("haproxy"), "-W", "-f", str(folder / "haproxy.cfg")]

    def reload(self) -> None:
        self.signal(signal.SIGUSR2)


class Caddy(Peer):
    """Caddy, whose version in Debian has HTTP/2 but no WebSockets over it."""

    name = "caddy"

    @classmethod
    def version(cls) -> str:
        return output(program("caddy"), "version").split()[0].lstrip("v")

    @classmethod
    def ways(cls) -> list[Way]:
        return [
            Way(), Way(tls=True), Way(tls=True, http2="automatic"), Way(tls=True, http2="preferred"),
            Way(tls=True, compressed=True),
        ]

    def command(self) -> list[str]:
        folder = self.folder
        site = f"bind 127.0.0.1\n reverse_proxy 127.0.0.1:{self.backend.plain}"
        (folder / "Caddyfile").write_text(f"""
            {{
                admin off
                auto_https off
                storage file_system {folder}/storage
            }}
            http://localhost:{self.plain} {{
                {site}
            }}
            https://localhost:{self.tls} {{
                tls {self.certificates}/good.pem {self.certificates}/good.key
                {site}
            }}
            """)
        caddy = [program("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
        return [program("env"), f"HOME={folder}", f"XDG_DATA_HOME={folder}", f"XDG_CONFIG_HOME={folder}", *caddy]


class Tunnel(Peer):
    """A proxy that opens tunnels."""

    name = "tunnel"
    has_tls = False

    def command(self) -> list[str]:
        return [sys.executable, str(HERE / "tunnel.py"), str(self.plain), str(self.folder / "tunnels")]

    @property
    def count(self) -> int:
        """The number of tunnels that it has opened."""
        return len(self.lines("tunnels"))


# The servers of the section "peers", each proxy with the server behind it.
PEERS: list[tuple[type[Peer], type[Peer] | None]] = [
    (Websockets, None), (Wsproto, None), (Hypercorn, None), (NIO, None),
    (Nginx, Websockets), (HAProxy, Websockets), (Caddy, Websockets),
]
