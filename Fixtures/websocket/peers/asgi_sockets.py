"""The application of the ASGI servers: an echo, an end by the server, a subprotocol that wasn't offered, and refusals."""


async def refuse(scope, send):
    """Refuses a handshake with a body in two parts if the server can send one."""
    if "websocket.http.response" not in scope.get("extensions", {}):
        return await send({"type": "websocket.close"})
    await send({"type": "websocket.http.response.start", "status": 403, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "websocket.http.response.body", "body": b'{"why":', "more_body": True})
    await send({"type": "websocket.http.response.body", "body": b'"because"}'})


async def echo(receive, send):
    while True:
        message = await receive()
        if message["type"] != "websocket.receive":
            return
        await send({"type": "websocket.send", "text": message.get("text"), "bytes": message.get("bytes")})


async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": message["type"] + ".complete"})
            if message["type"] == "lifespan.shutdown":
                return
    if scope["type"] != "websocket":
        await send({"type": "http.response.start", "status": 426, "headers": [(b"content-type", b"text/plain")]})
        return await send({"type": "http.response.body", "body": f"not a WebSocket, HTTP {scope['http_version']}".encode()})
    await receive()
    if scope["path"] == "/refuse":
        await refuse(scope, send)
    elif scope["path"] == "/refuse-plainly":
        await send({"type": "websocket.close"})
    elif scope["path"] == "/close":
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": 4001, "reason": "by itself"})
    elif scope["path"] == "/subprotocol-not-offered":
        await send({"type": "websocket.accept", "subprotocol": "unheard-of"})
        await echo(receive, send)
    else:
        await send({"type": "websocket.accept", "subprotocol": next(iter(scope["subprotocols"]), None)})
        await echo(receive, send)
