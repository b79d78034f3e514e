"""The servers, each in a process of its own: nginx, and one that answers late."""
import json
import os
import random
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

from harness.tools import PLAIN, Failure, output

RECORD = {"id": 0, "title": "A title of usual length", "tags": ["one", "two"], "score": 1.5, "isOpen": True}
KINDS = ("http", "tls", "h2")


def records(size):
    """JSON of an array of records, about so many bytes."""
    count = size // (len(json.dumps(RECORD, separators=(",", ":"))) + 2)
    return json.dumps([{**RECORD, "id": 100 + n} for n in range(count)], separators=(",", ":")), count


class Nginx:
    """nginx on loopback: HTTP/1.1 plain, HTTP/1.1 over TLS, HTTP/2 over TLS, with a certificate made on the spot."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="bench."))
        self.certificate = self.folder / "cert.pem"

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self):
        if not shutil.which("nginx", path=PLAIN["PATH"]):
            raise Failure("nginx is needed")
        self.length = {}
        for name, size in {"500.json": 500, "10k.json": 10_240, "1m.json": 1 << 20}.items():
            text = json.dumps({"text": "x" * (size - 12)})
            (self.folder / name).write_text(text)
            self.length[name] = len(text)
        (self.folder / "post").touch()
        text, count = records(10_240)
        (self.folder / "records.json").write_text(text)
        self.length["records.json"] = count
        (self.folder / "stored").mkdir()
        output(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost", "-keyout", self.folder / "key.pem", "-out", self.certificate],
            60,
        )
        for attempt in range(5):
            port = random.randrange(20000, 30000)
            self.ports = dict(zip(KINDS, range(port, port + 3)))
            (self.folder / "nginx.conf").write_text(self.configuration())
            try:
                output(["nginx", "-p", self.folder, "-c", self.folder / "nginx.conf"], 20)
                break
            except Failure:
                # A port may be taken.
                if attempt == 4:
                    raise
        wait_for(self.ports["h2"])

    def configuration(self):
        # `return` would answer before the body was read, which is an error over HTTP/2; mirroring reads it first. Then
        # nginx refuses to POST to a file, which here is answered with that of 500 bytes.
        user = "user root;" if os.getuid() == 0 else ""
        tls = f"ssl_certificate {self.certificate}; ssl_certificate_key {self.folder}/key.pem;"
        common = f"""
            location = /protocol {{ return 200 $server_protocol; }}
            location = /post {{ mirror /read; error_page 405 =200 /500.json; }}
            location = /read {{ internal; return 204; }}
            location /put/ {{ alias {self.folder}/stored/; dav_methods PUT; client_max_body_size 0; }}"""
        ports = self.ports
        return f"""{user}
worker_processes 1; daemon on; pid {self.folder}/pid; error_log {self.folder}/error.log;
events {{ worker_connections 8192; }}
http {{
    access_log off; keepalive_requests 100000000; keepalive_timeout 600; default_type application/json;
    root {self.folder}; sendfile on;
    client_body_temp_path {self.folder}/a; proxy_temp_path {self.folder}/b; fastcgi_temp_path {self.folder}/c;
    uwsgi_temp_path {self.folder}/d; scgi_temp_path {self.folder}/e;
    server {{ listen 127.0.0.1:{ports["http"]} backlog=8192; {common} }}
    server {{ listen 127.0.0.1:{ports["tls"]} ssl backlog=8192; {tls} {common} }}
    server {{ listen 127.0.0.1:{ports["h2"]} ssl http2 backlog=8192; {tls} {common} }}
}}
"""

    def url(self, kind, path):
        host = "http://127.0.0.1" if kind == "http" else "https://localhost"
        return f"{host}:{self.ports[kind]}/{path}"

    def __exit__(self, *_):
        if (self.folder / "pid").exists():
            command = ["nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf"), "-s", "stop"]
            subprocess.run(command, env=PLAIN, stderr=subprocess.DEVNULL, timeout=20, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


class StubServer:
    """Answers as many milliseconds late as the path says. See Sources/StubServer."""

    def __init__(self, programs):
        self.program = programs["StubServer"]

    def __enter__(self):
        self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=PLAIN)
        line = self.process.stdout.readline()
        if not line:
            raise Failure("StubServer did not start")
        self.port = int(line)
        return self

    def url(self, milliseconds):
        return f"http://127.0.0.1:{self.port}/{milliseconds}"

    def most(self):
        """How many requests waited at the same time at most, since the last time it was asked."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"http://127.0.0.1:{self.port}/most", timeout=20) as response:
            return int(response.read())

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


def wait_for(port):
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise Failure("nginx does not answer")
