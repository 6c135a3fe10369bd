"""The table of the daemons: how each is configured and started, and how it is reached."""
import importlib.metadata
import json
import os
import pwd
import re
import socketserver
import subprocess
import sys
import threading
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which

from daemon_house import Skipped, free_port

HERE = Path(__file__).parent
PASSWORD = "geheim"


@dataclass
class Peer:
    """A daemon that runs. What is another one after each start is a function."""
    url: object
    version: str
    extra: dict = field(default_factory=dict)

    def facts(self):
        def now(value):
            return value() if callable(value) else value
        return {"url": now(self.url), "version": self.version, "extra": {name: now(value) for name, value in self.extra.items()}}


def debian(program, packages):
    """Returns the version of a package of Debian, the first of those that a program needs; skips the peer without the program."""
    if which(program) is None and not os.access(program, os.X_OK):
        raise Skipped(f"{Path(program).name} isn't installed; apt-get install {packages}.")
    if which("dpkg-query") is None:
        return "unknown"
    version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", packages.split()[0]], capture_output=True, text=True).stdout
    return re.sub(r"^\d+:|[-+].*$", "", version)


def package(name):
    """Returns the version of a package of PyPI; skips the peer without it."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        raise Skipped(f"{name} isn't installed; pip install -r daemons-requirements.txt.") from None


# Brokers


def mosquitto(house):
    version, port = debian("mosquitto", "mosquitto"), free_port()
    # Mosquitto 2.0.11 ends if none of its listeners is for plain MQTT.
    house.run(port, "mosquitto", "-c", house.file("mosquitto.conf", f"""
user {pwd.getpwuid(os.getuid()).pw_name}
listener {free_port()} 127.0.0.1
listener {port} 127.0.0.1
protocol websockets
allow_anonymous true
"""))
    return Peer(f"ws://127.0.0.1:{port}/mqtt", version, {"subprotocol": "mqtt"})


def nats(house, authorization="", **extra):
    version, port = debian("nats-server", "nats-server"), free_port()
    house.run(port, "nats-server", "-c", house.file("nats.conf", f"""
listen: "127.0.0.1:{free_port()}"
websocket {{ listen: "127.0.0.1:{port}", no_tls: true, compression: true }}
{authorization}
"""))
    return Peer(f"ws://127.0.0.1:{port}", version, extra)


def nats_token(house):
    return nats(house, f'authorization {{ token: "{PASSWORD}" }}', token=PASSWORD)


def rabbitmq(house):
    # The command in /usr/sbin would change the user and the folders.
    program, home, port = "/usr/lib/rabbitmq/bin/rabbitmq-server", house.folder, free_port()
    version, names = debian(program, "rabbitmq-server"), free_port()
    # Otherwise the node starts an epmd that leaves the group of its processes.
    house.run(names, "epmd", "-port", names, "-address", "127.0.0.1")
    house.file("rabbitmq.conf", f"""
listeners.tcp = none
stomp.listeners.tcp = none
web_stomp.tcp.ip = 127.0.0.1
web_stomp.tcp.port = {port}
log.console = true
""")
    settings = {
        "NODENAME": "peers@localhost", "CONF_ENV_FILE": "/dev/null", "CONFIG_FILE": home / "rabbitmq.conf", "DIST_PORT": free_port(),
        "MNESIA_BASE": home / "mnesia", "LOG_BASE": home / "log", "GENERATED_CONFIG_DIR": home / "generated", "PID_FILE": home / "pid",
        "ENABLED_PLUGINS_FILE": house.file("plugins", "[rabbitmq_web_stomp].\n"), "ADVANCED_CONFIG_FILE": home / "advanced.config",
        "SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1} +S 2:2"}
    house.run(port, program, ERL_EPMD_PORT=str(names), **{f"RABBITMQ_{name}": str(value) for name, value in settings.items()})
    return Peer(f"ws://127.0.0.1:{port}/ws", version, {"login": "guest", "passcode": "guest", "subprotocol": "v12.stomp"})


# Chats


def prosody(house):
    version, port = debian("prosody", "prosody"), free_port()
    house.run(port, "prosody", "-F", "--config", house.file("prosody.lua", f"""
run_as_root = true
pidfile = "{house.folder}/pid"
data_path = "{house.folder}"
log = {{ info = "*console" }}
modules_enabled = {{ "saslauth", "websocket", "disco", "ping" }}
modules_disabled = {{ "s2s", "offline" }}
c2s_ports = {{}}
c2s_direct_tls_ports = {{}}
https_ports = {{}}
http_ports = {{ {port} }}
http_interfaces = {{ "127.0.0.1" }}
http_default_host = "localhost"
consider_websocket_secure = true
VirtualHost "localhost"
    authentication = "anonymous"
"""))
    return Peer(f"ws://127.0.0.1:{port}/xmpp-websocket", version, {"subprotocol": "xmpp", "host": "localhost"})


def weechat(house):
    version, port = debian("weechat-headless", "weechat-headless weechat-plugins"), free_port()
    commands = ["/set relay.network.bind_address 127.0.0.1", "/set relay.network.ipv6 off",
                f"/set relay.network.password {PASSWORD}", f"/relay add weechat {port}"]
    house.run(port, "weechat-headless", "-d", house.folder / "weechat", *(part for command in commands for part in ("-r", command)))
    return Peer(f"ws://127.0.0.1:{port}/weechat", version, {"password": PASSWORD})


# Libraries


class Echo(socketserver.BaseRequestHandler):
    """The server behind websockify: it returns what it gets."""

    def handle(self):
        while data := self.request.recv(65536):
            self.request.sendall(data)


def websockify(house):
    version, port = package("websockify"), free_port()
    echo = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Echo)
    echo.daemon_threads = True
    threading.Thread(target=echo.serve_forever, daemon=True).start()
    house.run(port, sys.executable, "-m", "websockify", f"127.0.0.1:{port}", f"127.0.0.1:{echo.server_address[1]}")
    return Peer(f"ws://127.0.0.1:{port}/websockify", version)


def script(house, name, file):
    version, port = package(name), free_port()
    house.run(port, sys.executable, HERE / file, port)
    return Peer(f"ws://127.0.0.1:{port}", version)


def tornado(house):
    return script(house, "tornado", "tornado_server.py")


def socketify(house):
    return script(house, "socketify", "socketify_server.py")


def jupyter(house):
    """A notebook server, which is tornado, with a kernel and with compression."""
    version, port = package("jupyter_server"), free_port()
    package("ipykernel")
    settings = house.file("jupyter_server_config.py", f"""
c.ServerApp.ip, c.ServerApp.port, c.ServerApp.root_dir = "127.0.0.1", {port}, "{house.folder}"
c.ServerApp.open_browser, c.ServerApp.allow_root, c.ServerApp.disable_check_xsrf = False, True, True
c.ServerApp.websocket_compression_options = {{}}
c.IdentityProvider.token = ""
""")
    house.run(port, sys.executable, "-m", "jupyter_server", f"--config={settings}")

    # A kernel ends with its server.
    def channels():
        request = urllib.request.Request(f"http://127.0.0.1:{port}/api/kernels", data=b"{}", method="POST")
        with urllib.request.urlopen(request, timeout=30) as response:
            return f"ws://127.0.0.1:{port}/api/kernels/{json.load(response)['id']}/channels"

    return Peer(channels, f"{version} with tornado {package('tornado')}")


def hypercorn(house):
    version, port = package("hypercorn"), free_port()
    house.run(port, sys.executable, "-m", "hypercorn", "--bind", f"127.0.0.1:{port}", "asgi_sockets:app", PYTHONPATH=str(HERE))
    return Peer(f"ws://127.0.0.1:{port}", version)


def uvicorn(name):
    def start(house):
        versions, port = f"{package('uvicorn')} with {name} {package(name.split('-')[0])}", free_port()
        house.run(port, sys.executable, "-m", "uvicorn", "--app-dir", HERE, "--port", port, "--ws", name, "asgi_sockets:app")
        return Peer(f"ws://127.0.0.1:{port}", versions)
    return start


def nginx(house):
    version, port, home = debian("nginx", "nginx"), free_port(), house.folder
    behind = hypercorn(house)
    address, upgrade = behind.url.replace("ws:", "http:"), "proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;"
    house.run(port, "nginx", "-p", home, "-e", home / "nginx.log", "-c", house.file("nginx.conf", f"""
daemon off; pid {home}/pid; error_log {home}/nginx.log; events {{}}
http {{ access_log off; client_body_temp_path {home}/a; proxy_temp_path {home}/b; fastcgi_temp_path {home}/c;
uwsgi_temp_path {home}/d; scgi_temp_path {home}/e;
server {{ listen 127.0.0.1:{port};
location / {{ proxy_pass {address}; proxy_http_version 1.1; {upgrade} }}
location /old/ {{ proxy_pass {address}/; {upgrade} }}
location /bare/ {{ proxy_pass {address}/; }} }} }}
"""))
    return Peer(f"ws://127.0.0.1:{port}", version, {"behind": f"hypercorn {behind.version}", "old": "/old/", "bare": "/bare/"})


def chromium(house):
    version, port = debian("chromium", "chromium"), free_port()
    house.run(port, "chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--remote-debugging-port={port}",
              f"--user-data-dir={house.folder}/data", "about:blank")

    # The paths have new numbers after each start.
    def asked(path):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/{path}", timeout=20) as response:
            return json.load(response)

    def page():
        return next(target["webSocketDebuggerUrl"] for target in asked("list") if target["type"] == "page")

    return Peer(lambda: asked("version")["webSocketDebuggerUrl"], version, {"page": page})


#: Every peer, by the name on the command line.
PEERS = {
    "mosquitto": mosquitto,
    "nats": nats,
    "nats-token": nats_token,
    "rabbitmq": rabbitmq,
    "prosody": prosody,
    "weechat": weechat,
    "websockify": websockify,
    "tornado": tornado,
    "socketify": socketify,
    "jupyter": jupyter,
    "hypercorn": hypercorn,
    "uvicorn-websockets": uvicorn("websockets"),
    "uvicorn-wsproto": uvicorn("wsproto"),
    "uvicorn-sansio": uvicorn("websockets-sansio"),
    "nginx": nginx,
    "chromium": chromium,
}
