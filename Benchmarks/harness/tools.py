"""Programs that are run, always for a limited time, and what they said."""
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent
RESULTS = FOLDER / ".results"

# Servers on this machine are asked directly, whatever the environment says of proxies.
PLAIN = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
PLAIN["PATH"] = PLAIN.get("PATH", "") + ":/usr/sbin:/sbin"


class Failure(Exception):
    pass


def output(command, seconds, environment=None, cwd=None):
    """Runs a command and gives what it printed; a Failure where it fails or takes too long."""
    command = [str(word) for word in command]
    name = Path(command[0]).name
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd, start_new_session=True,
        env={**PLAIN, **(environment or {})} if environment is not os.environ else None,
    )
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        # Its children too, or one of them would disturb what is measured next.
        os.killpg(process.pid, 9)
        process.communicate()
        raise Failure(f"{name} took more than {seconds} s: {' '.join(command[1:])}") from None
    if process.returncode != 0:
        last = "; ".join((err.strip() or out.strip()).splitlines()[-3:])
        raise Failure(f"{name} ended with {process.returncode}: {last}")
    return out


def lines(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def swift_build(folder, seconds, *arguments):
    """Builds for release and gives the folder of the programs."""
    command = ["swift", "build", "-c", "release", "--package-path", folder, *arguments]
    output(command, seconds, os.environ)
    return Path(output([*command, "--show-bin-path"], 120, os.environ).strip())


class Programs:
    """Where the built programs are."""

    def __init__(self, peers, build):
        self.built = build
        folders = [FOLDER] + ([FOLDER / "Peers"] if peers else [])
        found = []
        for folder in folders:
            if build:
                print(f"building {folder.name}", flush=True)
                found.append(swift_build(folder, 3600))
            else:
                found.append(folder / ".build" / "release")
        self.ours = found[0]
        self.theirs = found[1] if peers else None

    def __getitem__(self, name):
        return self.ours / name

    def peer(self, name):
        return self.theirs / name


class Run:
    """One section's raw results, which are saved at its end: a section can be run again alone."""

    def __init__(self, section, programs, smoke, peers):
        self.section, self.programs, self.smoke, self.peers = section, programs, smoke, peers
        self.records, self.failures = [], []
        self.started = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())

    def add(self, **record):
        self.records.append(record)

    def attempt(self, ours, work, **record):
        """Adds what `work` gives to a record. Only failures of what is ours are failures of the run."""
        try:
            self.add(**record, **work())
        except Failure as failure:
            self.add(**record, failed=str(failure))
            print(f"  {' '.join(str(v) for v in record.values())}: {failure}", flush=True)
            if ours:
                self.failures.append(f"{self.section}: {failure}")

    def save(self):
        if self.smoke:
            return
        RESULTS.mkdir(exist_ok=True)
        head = {"section": self.section, "date": self.started, "machine": machine(), "versions": versions()}
        text = "\n".join(json.dumps(record) for record in [head, *self.records])
        (RESULTS / f"{self.section}.jsonl").write_text(text + "\n")


def load(section):
    """The head and the records of a section that was saved; (None, []) where there is none."""
    file = RESULTS / f"{section}.jsonl"
    if not file.exists():
        return None, []
    head, *records = [json.loads(line) for line in file.read_text().splitlines()]
    return head, records


def select(records, **wanted):
    """The records with these values that did not fail, in the order of their rounds."""
    found = [r for r in records if "failed" not in r and all(r.get(k) == v for k, v in wanted.items())]
    return sorted(found, key=lambda record: record.get("round", 0))


def median(values):
    return statistics.median(values) if values else None


def machine():
    cpu = ""
    if Path("/proc/cpuinfo").exists():
        match = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
        cpu = match.group(1) if match else ""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = os.getloadavg()[0]
    return {
        "cpu": cpu or platform.machine(), "cores": os.cpu_count(), "memory_gib": round(memory),
        "system": system_name(), "load": round(load, 1),
    }


def system_name():
    try:
        return re.search(r'PRETTY_NAME="(.*)"', Path("/etc/os-release").read_text()).group(1)
    except (OSError, AttributeError):
        return platform.system()


def libcurl_version():
    import ctypes

    function = ctypes.CDLL("libcurl.so.4").curl_version
    function.restype = ctypes.c_char_p
    return function().decode().split()[0].split("/")[-1]


def swift_version():
    return re.search(r"Swift version (\S+)", output(["swift", "--version"], 60, os.environ)).group(1)


def versions():
    found = {"Swift": swift_version(), "libcurl": libcurl_version()}
    if shutil.which("nginx", path=PLAIN["PATH"]):
        text = subprocess.run(["nginx", "-v"], stderr=subprocess.PIPE, text=True, env=PLAIN, check=False).stderr
        found["nginx"] = text.strip().split("/")[-1]
    found["OpenSSL"] = output(["openssl", "version"], 20).split()[1]
    resolved = FOLDER / "Peers" / "Package.resolved"
    if resolved.exists():
        for pin in json.loads(resolved.read_text())["pins"]:
            name = pin["location"].rsplit("/", 1)[-1].removesuffix(".git")
            if name in ("async-http-client", "hummingbird", "OpenCombine", "swift-nio"):
                found[name] = pin["state"]["version"]
    for line in (FOLDER / "Peers" / "WebSockets" / "requirements.txt").read_text().splitlines():
        name, version = line.split("==")
        found[name] = version
    return found
