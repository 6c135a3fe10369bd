"""Cases of python-socketio with our end of Socket.IO, only over WebSocket."""
import asyncio
import contextlib

import socketio

from cases import PORT, Control, case, equal, run, server_case, until

control = Control("socketio")
URL = f"http://127.0.0.1:{PORT}"


class Connection:
    """A client, with the events that it received."""

    def __init__(self, *namespaces):
        self.client = socketio.AsyncClient(reconnection_delay=0.05, reconnection_delay_max=0.1, randomization_factor=0)
        self.namespaces = list(namespaces or ["/"])
        self.events, self.errors, self.connects, self.disconnects = [], [], [], []
        for name in self.namespaces:
            self.client.on("connect", lambda name=name: self.connects.append(name), namespace=name)
            self.client.on("disconnect", lambda reason, name=name: self.disconnects.append((name, reason)), namespace=name)
            self.client.on("connect_error", lambda *data, name=name: self.errors.append((name, *data)), namespace=name)
            self.client.on("news", lambda *data, name=name: self.events.append((name, *data)), namespace=name)
            self.client.on("sum", lambda *numbers: sum(numbers[0]), namespace=name)

    async def connect(self, auth=None):
        await self.client.connect(URL, transports=["websocket"], auth=auth, namespaces=self.namespaces, wait_timeout=5)
        return self


@contextlib.asynccontextmanager
async def connected(*namespaces, auth=None):
    connection = Connection(*namespaces)
    await connection.connect(auth)
    try:
        yield connection
    finally:
        await connection.client.shutdown()


async def refused(connection, auth=None):
    try:
        await connection.connect(auth)
    except socketio.exceptions.ConnectionError:
        return
    finally:
        await connection.client.shutdown()
    raise AssertionError("it was not refused")


@case("connect, with credentials")
async def connect():
    await control.forget()
    async with connected(auth={"token": "right", "name": "Grüße"}) as found:
        target = await control.heard("connection /socket.io/")
        equal(("EIO=4" in target, "transport=websocket" in target), (True, True))
        await control.heard('open {"token":"right","name":"Gr')
        equal((found.connects, bool(found.client.get_sid())), (["/"], True))


@case("connect is refused")
async def connect_refused():
    found = Connection()
    await refused(found, {"token": "wrong"})
    equal([(name, data["message"]) for name, data in found.errors], [("/", "wrong token")])
    equal(found.connects, [])


@case("events that are acknowledged")
async def acknowledged():
    async with connected() as found:
        for value in [{"text": "Grüße \N{GRINNING FACE}"}, "text", 7, True, [1, [2]], {}]:
            equal(await found.client.call("echo", value, timeout=5), value)
        # Without an argument, the acknowledgement has none.
        equal(await found.client.call("echo", timeout=5), None)
        # Several arguments come back as one.
        equal(await found.client.call("echo", (1, "a"), timeout=5), [1, "a"])


@case("bytes that are acknowledged")
async def binary():
    async with connected() as found:
        equal(await found.client.call("echo", bytes(range(256)), timeout=5), bytes(range(256)))
        equal(await found.client.call("echo", b"", timeout=5), b"")


@case("many acknowledgements at once")
async def many():
    async with connected() as found:
        calls = [found.client.call("echo", number if number % 2 else bytes([number]), timeout=5) for number in range(100)]
        equal(await asyncio.gather(*calls), [number if number % 2 else bytes([number]) for number in range(100)])


@case("an event is refused")
async def event_refused():
    async with connected() as found:
        equal(await found.client.call("refuse", 1, timeout=5),
              {"error": {"code": "42", "message": "not for you", "details": {"seats": 4}}})
        equal(await found.client.call("echo", 1, timeout=5), 1)


@case("an event without an acknowledgement")
async def notification():
    async with connected() as found:
        await control.forget()
        await found.client.emit("echo", {"text": "quiet"})
        await control.heard('notify echo {"text":"quiet"}')
        await found.client.emit("echo", b"\x00\xff")
        await control.heard("notify echo")


@case("events of the server")
async def pushes():
    async with connected() as found:
        await control.say("push", event="news", payload={"text": "Grüße"})
        await control.say("push", event="news", payload=[1, 2])
        await control.say("push", event="news")
        await until(lambda: len(found.events) == 3, "the events")
        equal(found.events, [("/", {"text": "Grüße"}), ("/", [1, 2]), ("/",)])


@case("an event of the server that is acknowledged", wire_only=True)
async def server_request():
    async with connected():
        await control.forget()
        await control.say("request", id="7", event="sum", payload=[1, 2, 3])
        equal(await control.heard("reply 7"), "reply 7 ok 6")


@case("namespaces beside the default one")
async def namespaces():
    await control.forget()
    async with connected("/", "/admin", "/room") as found:
        equal(sorted(found.connects), ["/", "/admin", "/room"])
        await control.heard("join /admin")
        equal(await found.client.call("echo", {"a": 1}, namespace="/admin", timeout=5), {"a": 1})
        equal(await found.client.call("echo", b"\x01", namespace="/room", timeout=5), b"\x01")
        await control.say("push", topic="/room", event="news", payload="here")
        await control.say("push", event="news", payload="everywhere")
        await until(lambda: len(found.events) == 2, "the events")
        equal(found.events, [("/room", "here"), ("/", "everywhere")])


@case("a namespace without the default one")
async def only_namespace():
    async with connected("/admin") as found:
        equal(found.connects, ["/admin"])
        equal(await found.client.call("echo", {"a": 1}, namespace="/admin", timeout=5), {"a": 1})


@case("a namespace is refused")
async def namespace_refused():
    found = Connection("/", "/refused")
    await refused(found)
    equal([(name, data["message"]) for name, data in found.errors], [("/refused", "members only")])


@case("the server ends a namespace")
async def namespace_ends():
    async with connected("/", "/admin") as found:
        await control.say("left", topic="/admin")
        await until(lambda: found.disconnects, "the disconnection")
        equal(found.disconnects, [("/admin", socketio.AsyncClient.reason.SERVER_DISCONNECT)])
        equal(await found.client.call("echo", 1, timeout=5), 1)


@case("pings of the server are answered", wire_only=True)
async def pings():
    async with connected() as found:
        await control.forget()
        for _ in range(3):
            await control.say("heartbeat")
            await control.heard("alive")
        equal(await found.client.call("echo", 1, timeout=5), 1)


async def connects_again(end):
    async with connected("/", "/admin", auth={"token": "right"}) as found:
        await control.forget()
        await end()
        await until(lambda: len(found.connects) == 4, "the next connection")
        await control.heard('open {"token":"right"}')
        equal(await found.client.call("echo", 1, timeout=5), 1)
        equal(await found.client.call("echo", 2, namespace="/admin", timeout=5), 2)


case("a connection that is cut; the client connects again")(lambda: connects_again(control.cut))
case("a connection that is closed; the client connects again")(lambda: connects_again(lambda: control.close(1012)))
server_case("another server; the client connects again")(lambda: connects_again(control.restart))


@server_case("pings of the server keep a quiet connection")
async def quiet():
    async with connected() as found:
        # The client gives up after `pingInterval` and `pingTimeout` without a message.
        found.client.eio.ping_interval, found.client.eio.ping_timeout = 1, 2
        equal(await found.client.call("echo", 1, timeout=5), 1)
        await asyncio.sleep(5)
        equal((found.client.connected, found.connects, found.disconnects), (True, ["/"], []))


@case("the server ends the session for now; the client connects again", wire_only=True)
async def ends_for_now():
    async def end():
        await control.say("end", mayReconnect=True)
        await control.close(1001)
    await connects_again(end)


@case("the server ends the session for good", wire_only=True)
async def ends_for_good():
    async with connected() as found:
        await control.say("end", mayReconnect=False)
        await until(lambda: found.disconnects, "the disconnection")
        equal(found.disconnects[0][0], "/")
        await asyncio.sleep(0.3)
        equal((found.client.connected, found.connects), (False, ["/"]))


@case("the client disconnects")
async def disconnects():
    async with connected("/", "/admin"):
        await control.forget()
    # The client's other packets may arrive too late.
    await control.heard("gone")


run()
