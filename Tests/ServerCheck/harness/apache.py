"""Apache's httpd, with mod_http2."""
import signal
from pathlib import Path

from .conditions import CONDITIONS, ONE_STREAM, RELOAD
from .server import Entry, Missing, Server, output, program

MODULES = Path("/usr/lib/apache2/modules")


class Apache(Server):
    """Answers with the path, which a server-side include writes."""

    name = "apache"
    conditions = {1: [each for each in CONDITIONS if each != ONE_STREAM], 2: CONDITIONS}
    unsteady = [RELOAD, ONE_STREAM]

    @classmethod
    def version(cls) -> str:
        if not (MODULES / "mod_http2.so").exists():
            raise Missing("Apache's modules are not installed")
        return output(program("apache2"), "-v").split("/")[1].split()[0]

    def command(self) -> list[str]:
        condition, folder = self.condition, self.folder
        names = ["mpm_event", "authz_core", "ssl", "http2", "include", "alias", "headers", "mime"]
        modules = "\n".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in names)
        (folder / "www").mkdir()
        (folder / "www" / "path.shtml").write_text('<!--#echo encoding="none" var="REQUEST_URI" -->')
        (folder / "apache.conf").write_text(f"""
            {modules}
            ServerName localhost
            User www-data
            Group www-data
            PidFile {folder}/pid
            DefaultRuntimeDir {folder}
            ErrorLog {folder}/error.log
            LogFormat "%{{remote}}p %m %U %H" check
            CustomLog {folder}/access.log check
            ThreadsPerChild 64
            ServerLimit 16
            MaxRequestWorkers 1024
            StartServers 1
            KeepAlive On
            MaxKeepAliveRequests {condition.requests or 0}
            KeepAliveTimeout {f"{condition.idle}ms" if condition.idle else "60"}
            H2MaxSessionStreams {condition.streams or 100}
            TypesConfig /dev/null
            AddType text/plain .shtml
            AddOutputFilter INCLUDES .shtml
            AliasMatch "^/" {folder}/www/path.shtml
            {self.fields("Header always set {name} {value}")}
            <Directory {folder}/www>
                Options +Includes
                Require all granted
            </Directory>
            Listen 127.0.0.1:{self.plain}
            Listen 127.0.0.1:{self.tls}
            <VirtualHost 127.0.0.1:{self.tls}>
                Protocols h2 http/1.1
                SSLEngine on
                SSLCertificateFile {self.certificates}/good.pem
                SSLCertificateKeyFile {self.certificates}/good.key
            </VirtualHost>
            """)
        return [program("apache2"), "-d", str(folder), "-f", str(folder / "apache.conf"), "-D", "FOREGROUND"]

    def reload(self) -> None:
        self.signal(signal.SIGUSR1)

    def entries(self) -> list[Entry]:
        return self.words("access.log")
