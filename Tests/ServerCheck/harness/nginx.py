"""nginx, with one process for the requests."""
import os
import signal

from .conditions import CONDITIONS, ONE_STREAM
from .server import Entry, Server, output, program


class Nginx(Server):
    """Answers with the path, and reads nothing of a body but its end."""

    name = "nginx"
    conditions = {1: [each for each in CONDITIONS if each != ONE_STREAM], 2: CONDITIONS}
    end_signal = signal.SIGQUIT

    @classmethod
    def version(cls) -> str:
        return output(program("nginx"), "-v").split("/")[-1]

    def command(self) -> list[str]:
        condition, folder = self.condition, self.folder
        temporary = " ".join(
            f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(f"""
            {"user root;" if os.geteuid() == 0 else ""}
            worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/error.log;
            events {{ worker_connections 4096; }}
            http {{
                default_type text/plain; {temporary}
                log_format check "$connection $request_method $request_uri $server_protocol";
                access_log {folder}/access.log check;
                keepalive_requests {condition.requests or 1_000_000};
                keepalive_timeout {f"{condition.idle}ms" if condition.idle else "60s"};
                http2_max_concurrent_streams {condition.streams or 128};
                large_client_header_buffers 8 32k;
                {self.fields("add_header {name} {value};")}
                server {{
                    listen 127.0.0.1:{self.plain} backlog=4096;
                    listen 127.0.0.1:{self.tls} ssl http2 backlog=4096;
                    ssl_certificate {self.certificates}/good.pem; ssl_certificate_key {self.certificates}/good.key;
                    location / {{ return 200 $request_uri; }}
                }}
            }}
            """)
        return [program("nginx"), "-p", str(folder), "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"]

    def reload(self) -> None:
        self.signal(signal.SIGHUP)

    def entries(self) -> list[Entry]:
        return self.words("access.log")
