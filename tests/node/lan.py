"""A local network on one machine: a switch and some hosts, each a network namespace, with cables that can be cut.

It needs root and iproute2, and nftables for firewalls. Everything is made here, lives in namespaces with names of this
process's own, and is taken away again; the machine's own network is never touched.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Protocol

_numbers = count()
_DEAD = 120
"""Seconds after which something hangs, and is not only slow because the machine is busy."""

_PATIENCE = 600
"""The same for what several processes do together."""
_OVERHEARD = """
import socket, sys
group, own, other = "224.0.0.251", *sys.argv[1:]
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(own))
if not other:
    udp.bind(("", 5399))
    udp.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(group) + socket.inet_aton(own))
    print("listening", flush=True)
    print(udp.recv(100).decode(), flush=True)
else:
    udp.sendto(b"heard", (group, 5399))
    udp.sendto(b"only what came later", (other, 5399))
"""

_KNOCK = """
import socket, sys, time
from contextlib import suppress
def knock():
    start = time.monotonic()
    with suppress(ConnectionRefusedError):
        socket.create_connection((sys.argv[1], 9), 60)
    return time.monotonic() - start
print(min(knock() for _ in range(5)))  # The first time, the neighbours have to be introduced.
"""
_WILD_CLOCK = """
import datetime, itertools, sys, time
day = 24 * 60 * 60
jumps = itertools.cycle((0, day, -day, 30 * 365 * day, -20 * 365 * day, 7000 * 365 * day))
real = time.time
time.time = lambda: real() + next(jumps)
time.time_ns = lambda: int(time.time() * 10**9)
class wild(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)
    utcnow = today = now
datetime.datetime = wild
print("wild clock", file=sys.stderr, flush=True)
"""
"""Is run by every Python that finds it as its sitecustomize, before anything else."""

_BAD_CABLE = Path(__file__).with_name("bad_cable.py")
_IP = shutil.which("ip") or "ip"


def ip(*arguments: str) -> None:
    """Runs iproute2's command."""
    subprocess.run([_IP, *arguments], check=True, capture_output=True, timeout=_DEAD)


def missing() -> str:
    """Returns why this machine can't have a virtual network; nothing if it can."""
    if sys.platform != "linux":
        return "network namespaces are Linux's"
    if os.geteuid() != 0:
        return "making network namespaces needs root"
    if shutil.which("ip") is None:
        return "making network namespaces needs iproute2"
    probe = f"sheriff-{os.getpid()}-probe"
    made = subprocess.run([_IP, "netns", "add", probe], check=False, capture_output=True, timeout=_DEAD)
    if made.returncode:
        return f"this machine makes no network namespaces: {made.stderr.decode().strip()}"
    ip("netns", "del", probe)
    return ""


def missing_for_firewalls() -> str:
    """Returns why hosts can't have firewalls on this machine; nothing if they can."""
    return missing() or ("a firewall needs nftables" if shutil.which("nft") is None else "")


class Network(Protocol):
    """Where nodes run in processes of their own."""

    def command(self, host: int, *arguments: str, module: str = "p2p_sheriff") -> list[str]:
        """Returns what starts the program on a host, or another one."""


class Loopback:
    """All hosts are this machine."""

    def command(
        self,
        host: int,  # noqa: ARG002 - all hosts are the same one.
        *arguments: str,
        module: str = "p2p_sheriff",
    ) -> list[str]:
        return [sys.executable, "-m", module, *arguments, "--interface", "127.0.0.1"]


class Lan:
    """A switch and hosts from 1 on."""

    def __init__(self, hosts: int) -> None:
        self._name = f"sheriff-{os.getpid()}-{next(_numbers)}"
        self.hosts = range(1, hosts + 1)
        self._cables: dict[int, subprocess.Popen[bytes]] = {}
        self._moved: dict[int, int] = {}

    def up(self) -> None:
        """Lays the cables."""
        ip("netns", "add", self._switch)
        ip("-n", self._switch, "link", "add", "br0", "type", "bridge", "mcast_snooping", "0", "forward_delay", "0")
        ip("-n", self._switch, "link", "set", "br0", "up")
        for host in self.hosts:
            inside = self.namespace(host)
            ip("netns", "add", inside)
            ip("-n", inside, "link", "set", "lo", "up")
            ip("-n", self._switch, "link", "add", f"p{host}", "type", "veth", "peer", "name", "eth0", "netns", inside)
            ip("-n", self._switch, "link", "set", f"p{host}", "master", "br0", "up")
            ip("-n", inside, "link", "set", "eth0", "up")
            self._assign(host)

    def _assign(self, host: int) -> None:
        ip("-n", self.namespace(host), "addr", "add", f"{self.address(host)}/24", "brd", "+", "dev", "eth0")

    def down(self) -> None:
        """Takes everything away, as much of it as there is."""
        for cable in self._cables.values():
            cable.kill()
            cable.wait(_DEAD)
        for name in (*map(self.namespace, self.hosts), self._switch):
            with suppress(subprocess.CalledProcessError):
                ip("netns", "del", name)

    @property
    def _switch(self) -> str:
        return f"{self._name}-switch"

    def namespace(self, host: int) -> str:
        return f"{self._name}-{host}"

    def address(self, host: int) -> str:
        return f"10.77.0.{host + self._moved.get(host, 0)}"

    def inside(self, host: int, *command: str) -> list[str]:
        """Returns what runs a command on a host; it keeps its process id."""
        return [_IP, "netns", "exec", self.namespace(host), *command]

    def command(self, host: int, *arguments: str, module: str = "p2p_sheriff") -> list[str]:
        return self.inside(host, sys.executable, "-m", module, *arguments)

    # -- what befalls a network

    def cut(self, host: int) -> None:
        """Cuts a cable in a way that the host does not notice: packets vanish."""
        ip("-n", self._switch, "link", "set", f"p{host}", "nomaster")

    def heal(self, host: int) -> None:
        """Takes a sound cable again, whatever was done to it."""
        if (bad := self._cables.pop(host, None)) is not None:
            bad.kill()
            bad.wait(_DEAD)
            ip("-n", self._switch, "link", "del", f"q{host}")
        ip("-n", self._switch, "link", "set", f"p{host}", "master", "br0")

    def move(self, host: int) -> None:
        """Gives a host another address, as a network does to who was away for long."""
        ip("-n", self.namespace(host), "addr", "flush", "dev", "eth0")
        self._moved[host] = self._moved.get(host, 0) + 100
        self._assign(host)

    def block_multicast(self) -> None:
        """Makes the switch keep multicast to itself, as some wireless ones do."""
        for host in self.hosts:
            ip("-n", self._switch, "link", "set", f"p{host}", "type", "bridge_slave", "mcast_flood", "off")

    def lose(self, host: int, percent: int) -> None:
        """Takes a cable that loses frames, in each direction."""
        self._replace_cable(host, 0, percent)

    def delay(self, host: int, milliseconds: int) -> None:
        """Takes a cable so long that every frame takes its time, in each direction."""
        self._replace_cable(host, milliseconds, 0)

    def _replace_cable(self, host: int, milliseconds: int, lost_percent: int) -> None:
        near, far = f"q{host}", f"r{host}"
        ip("-n", self._switch, "link", "add", near, "type", "veth", "peer", "name", far)
        ip("-n", self._switch, "link", "set", f"p{host}", "nomaster")
        ip("-n", self._switch, "link", "set", near, "up")
        ip("-n", self._switch, "link", "set", far, "master", "br0", "up")
        for device in (f"p{host}", near, far):
            self._run(self._switch, sys.executable, str(_BAD_CABLE), device)
        for other in self.hosts:
            self._run(self.namespace(other), sys.executable, str(_BAD_CABLE), "eth0")
        carry = [sys.executable, str(_BAD_CABLE), f"p{host}", near, str(milliseconds), str(lost_percent)]
        self._cables[host] = subprocess.Popen([_IP, "netns", "exec", self._switch, *carry])

    def round_trip(self, host: int, other: int) -> float:
        """Returns how many seconds it takes to be refused a connection by another host."""
        script = [sys.executable, "-c", _KNOCK, self.address(other)]
        done = subprocess.run(self.inside(host, *script), check=True, capture_output=True, timeout=_DEAD)
        return float(done.stdout)

    def _run(self, namespace: str, *command: str) -> None:
        subprocess.run([_IP, "netns", "exec", namespace, *command], check=True, capture_output=True, timeout=_DEAD)

    def forbid_multicast(self, host: int) -> None:
        """Makes a host's own firewall stop multicast."""
        self._filter(
            self.namespace(host),
            "table ip quiet {",
            "chain out { type filter hook output priority 0;",
            "ip daddr 224.0.0.0/4 drop",
            "}",
            "}",
        )

    def _filter(self, namespace: str, *lines: str) -> None:
        rules = "\n".join(lines).encode()
        subprocess.run([_IP, "netns", "exec", namespace, "nft", "-f", "-"], input=rules, check=True, timeout=_DEAD)

    def multicast_reaches(self, sender: int, receiver: int) -> bool:
        """Returns whether a multicast packet of one host is heard by another."""
        script = [sys.executable, "-c", _OVERHEARD]
        listening = self.inside(receiver, *script, self.address(receiver), "")
        with subprocess.Popen(listening, stdout=subprocess.PIPE, text=True) as listener:
            assert listener.stdout is not None
            assert listener.stdout.readline() == "listening\n"
            addresses = self.address(sender), self.address(receiver)
            subprocess.run(self.inside(sender, *script, *addresses), check=True, timeout=_DEAD)
            return listener.stdout.readline() == "heard\n"


@contextmanager
def laid(hosts: int) -> Iterator[Lan]:
    """Lays a network, and takes it away whatever happens."""
    lan = Lan(hosts)
    try:
        lan.up()
        yield lan
    finally:
        lan.down()


class Bot:
    """A bot in a process of its own, which can be killed and started anew."""

    program = "p2p_sheriff"
    """Which module is run."""
    extra: tuple[str, ...] = ()
    """What else it is started with."""
    has_wild_clock = False
    """Whether each look at the clock shows another year."""

    def __init__(self, network: Network, host: int, folder: Path, deck: str) -> None:
        self._network, self._host, self._folder, self._deck = network, host, folder / f"host-{host}", deck
        self._folder.mkdir()
        self._output, self._errors = self._folder / "output.txt", self._folder / "errors.txt"
        self.name = f"Bot{host} of {os.getpid()}"  # On loopback, other tests may have tables too.
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *arguments: str) -> None:
        common = ("--name", self.name, "--data", str(self._folder), "--seed", str(self._host), "--pace", "0.05")
        with self._output.open("wb") as output, self._errors.open("wb") as errors:
            command = self._command("bot", "--phases", *common, *self.extra, *arguments)
            environment = dict(os.environ)
            if self.has_wild_clock:
                (self._folder / "sitecustomize.py").write_text(_WILD_CLOCK)
                environment["PYTHONPATH"] = str(self._folder)
            self._process = subprocess.Popen(command, stdout=output, stderr=errors, env=environment)

    def _command(self, *arguments: str) -> list[str]:
        return self._network.command(self._host, *arguments, module=self.program)

    def open(self, players: int, *arguments: str) -> int:
        """Opens a table; returns the port where the node listens."""
        self.start("--open", str(players), "--deck", self._deck, *arguments)
        return int(self._line("open ").split()[1])

    def wait_for(self, phase: str) -> str:
        """Waits until a phase of that name begins; returns what was said then."""
        return self._line(f"phase {phase}")

    def result(self) -> str:
        """Waits for the end of the game, and returns the digest of the result."""
        digest = self._line("result ").split()[1]
        assert self._process is not None
        assert self._process.wait(_DEAD) == 0, self._errors.read_text()
        return digest

    def _line(self, beginning: str) -> str:
        """Waits for a line that begins so, and returns it."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            is_over = not self.is_running  # Asked before the last look: what it has written then is all.
            for line in self._output.read_text().splitlines(keepends=True):
                if line.startswith(beginning) and line.endswith("\n"):
                    return line
            assert not is_over, f"{self.name} ended without {beginning!r}: {self._errors.read_text()}"
            time.sleep(0.02)
        raise AssertionError(f"{self.name} did not come to {beginning!r} in time: {self._output.read_text()}")

    @property
    def phase(self) -> str:
        """The phase that it has told of last; nothing before the first one."""
        told = [line for line in self._output.read_text().splitlines() if line.startswith("phase ")]
        return told[-1].removeprefix("phase ") if told else ""

    @property
    def errors(self) -> str:
        """What it has written for whoever looks for a fault."""
        return self._errors.read_text()

    def kill(self) -> None:
        """Ends the process at once, as a loss of power does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(_DEAD)

    def freeze(self) -> None:
        """Stops the process where it is, as a machine that falls asleep does."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def has_failed(self) -> bool:
        """Whether it has ended by itself, and not well."""
        return self._process is not None and self._process.poll() not in (None, 0, -signal.SIGKILL)

    @property
    def memory(self) -> int:
        """How much memory it has now, in bytes; nothing if it is over."""
        assert self._process is not None
        with suppress(OSError):
            pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE")
        return 0

    @property
    def cpu(self) -> float:
        """How many seconds it has worked; nothing if it is over."""
        assert self._process is not None
        with suppress(OSError):
            user, system = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
            return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
        return 0

    @property
    def log(self) -> str:
        """What its node has noted."""
        (path,) = self._folder.glob("*/log")
        return path.read_text()

    def evidence(self) -> bytes:
        """What proves the one fault that it has found."""
        (path,) = self.kept("evidence")
        return path.read_bytes()

    def transcript(self) -> bytes:
        (path,) = self.kept("sheriff")
        return path.read_bytes()

    def kept(self, suffix: str) -> list[Path]:
        """Returns what it has on its disk of games, by the ends of names."""
        return list(self._folder.glob(f"*/games/*.{suffix}"))


@contextmanager
def bots(network: Network, hosts: Sequence[int], folder: Path, deck: str) -> Iterator[list[Bot]]:
    """Yields bots that are not started yet; whatever happens, none of them is left behind."""
    crowd = [Bot(network, host, folder, deck) for host in hosts]
    try:
        yield crowd
    finally:
        for bot in crowd:
            bot.kill()
