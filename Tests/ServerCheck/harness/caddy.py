"""Caddy, a server of Go."""
import json
import urllib.request

from .conditions import HEADS_20, HEADS_4, IDLE, PLAIN, RELOAD
from .server import Entry, Server, output, program


class Caddy(Server):
    """Answers with the path. A field of the response holds the body, so that the body is read."""

    name = "caddy"
    conditions = {version: [PLAIN, RELOAD, IDLE, HEADS_4, HEADS_20] for version in (1, 2)}
    unsteady = [RELOAD]

    @classmethod
    def version(cls) -> str:
        return output(program("caddy"), "version").split()[0].lstrip("v")

    def command(self) -> list[str]:
        condition, folder = self.condition, self.folder
        site = f"""
            bind 127.0.0.1
            {self.fields("header {name} {value}")}
            header x-body {{http.request.body}}
            respond {{http.request.uri}}
            log {{
                output file {folder}/access.log {{
                    roll_disabled
                }}
                format filter {{
                    wrap json
                    fields {{
                        request>headers delete
                        resp_headers delete
                    }}
                }}
            }}
            """
        (folder / "Caddyfile").write_text(f"""
            {{
                admin 127.0.0.1:{self.admin}
                auto_https off
                storage file_system {folder}/storage
                servers {{
                    timeouts {{
                        idle {condition.idle or 60_000}ms
                    }}
                }}
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

    def reload(self) -> None:
        # Without the field, Caddy leaves a configuration that has not changed as it is.
        fields = {"Content-Type": "text/caddyfile", "Cache-Control": "must-revalidate"}
        body = (self.folder / "Caddyfile").read_bytes()
        request = urllib.request.Request(f"http://127.0.0.1:{self.admin}/load", body, fields, method="POST")
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        opener.open(request, timeout=10).close()

    def entries(self) -> list[Entry]:
        entries = []
        for line in self.lines("access.log"):
            try:
                request = json.loads(line)["request"]
            except (ValueError, KeyError):
                continue
            version = 2 if request["proto"].startswith("HTTP/2") else 1
            entries.append(Entry(request["remote_port"], request["method"], request["uri"], version))
        return entries
