"""The servers and their load: servers on one core, load and broker on the other."""
import contextlib
import subprocess

from broker import Broker
from SocketServer.servers import Cores, Failed
from SocketServer.servers import Programs as ServerPrograms

from loads import SETUPS


class Programs:
    def __init__(self, folder):
        self.folder = folder
        self.cores = Cores.choose()

    @contextlib.contextmanager
    def broker(self, flushes=False):
        with Broker(self.cores.load, flushes) as broker:
            yield broker

    @contextlib.contextmanager
    def server(self, engine, count):
        """Starts a process with `count` servers; yields the process and their ports."""
        command = ["taskset", "-c", str(self.cores.server), f"{self.folder}/bench-fan-out-ours", engine, str(count)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            ports = process.stdout.readline().split()
            if len(ports) != count:
                raise Failed("it does not start")
            yield process, [int(port) for port in ports]
        finally:
            process.stdin.close()
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def measure(self, name, load, seconds):
        """Starts two servers, loads them once, and stops them; returns the figures of the load."""
        setup = SETUPS[name]
        with contextlib.ExitStack() as stack:
            broker = stack.enter_context(self.broker(setup.flushes)) if setup.on_broker else None
            engine = broker.url if broker else "memory"
            words = load.words(setup)
            if setup.processes == 1:
                process, (first, second) = stack.enter_context(self.server(engine, 2))
            else:
                process, (first,) = stack.enter_context(self.server(engine, 1))
                other, (second,) = stack.enter_context(self.server(engine, 1))
                words.append(f"other-pid={other.pid}")
            if broker:
                words.append(f"broker-pid={broker.process.pid}")
            command = [f"{self.folder}/bench-socket-server-load", str(first), str(process.pid), "fan-out",
                       f"other-port={second}", *words, f"seconds={seconds}"]
            return ServerPrograms.run(command, self.cores.load, seconds)
