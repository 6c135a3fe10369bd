"""The application of the WSGI servers, and CherryPy with it. SITE is the folder with the files, PORT that of CherryPy."""
import os
import zlib
from pathlib import Path

SITE = Path(os.environ["SITE"])


def app(environment, start):
    path = environment["PATH_INFO"]

    def reply(status, body=b"", headers=()):
        start(status, [("Content-Length", str(len(body))), *headers])
        return [b"" if environment["REQUEST_METHOD"] == "HEAD" else body]

    if path == "/refuse":
        return reply("413 Content Too Large", b"too much")
    if path == "/moved":
        return reply("302 Found", headers=[("Location", "")])
    if path == "/none":
        start("204 No Content", [])
        return []
    if path == "/pieces":
        start("200 OK", [])
        return (b"a piece\n" * 1000 for _ in range(3))
    if path == "/echo":
        size, total, source = 0, 1, environment["wsgi.input"]
        left = int(environment.get("CONTENT_LENGTH") or 0) or None
        while left is None or left > 0:
            body = source.read(min(65_536, left or 65_536))
            if not body:
                break
            size, total = size + len(body), zlib.adler32(body, total)
            left = None if left is None else left - len(body)
        return reply("200 OK", f"{size} {total}".encode())
    if (SITE / path[1:]).is_file():
        return reply("200 OK", (SITE / path[1:]).read_bytes())
    return reply("404 Not Found", b"no such thing")


if __name__ == "__main__":
    import cherrypy

    class Hidden:
        @cherrypy.expose
        def index(self):
            return "the user is known"

    cherrypy.config.update({"server.socket_host": "127.0.0.1", "server.socket_port": int(os.environ["PORT"]),
                            "engine.autoreload.on": False, "log.screen": False, "server.max_request_body_size": 0})
    cherrypy.tree.graft(app, "/")
    get_key = cherrypy.lib.auth_digest.get_ha1_dict_plain({"müller": "geheim"})
    cherrypy.tree.mount(Hidden(), "/hidden", {"/": {
        "tools.auth_digest.on": True, "tools.auth_digest.realm": "peers", "tools.auth_digest.get_ha1": get_key,
        "tools.auth_digest.key": "a565c27146791cfb", "tools.auth_digest.accept_charset": "UTF-8"}})
    cherrypy.engine.start()
    cherrypy.engine.block()
