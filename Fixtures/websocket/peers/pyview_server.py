"""A LiveView server based on pyview: a counter at /count, whose page changes by events, and by itself every 0.2 s after "start".

    python3 pyview_server.py PORT

In addition to `ready PORT`, it prints `mounted` for a join, `uploaded BYTES` with the bytes in hexadecimal for the event "read", and
`gone` when a view has ended.
"""
import os
import sys

# Tokens outlive a restart of the server.
os.environ["PYVIEW_SECRET"] = "a secret of the tests"

from pyview import LiveView, PyView, is_connected  # noqa: E402
from pyview.events import InfoEvent  # noqa: E402
from pyview.template import LiveRender, LiveTemplate  # noqa: E402
from pyview.uploads import UploadConstraints  # noqa: E402
from pyview.vendor.ibis import Template  # noqa: E402

from serving import say, serve  # noqa: E402

TEMPLATE = LiveTemplate(Template("<p>count {{count}}</p><p>ticks {{ticks}}</p>"))


class CountView(LiveView):
    async def mount(self, socket, session):
        socket.context = {"count": 0, "ticks": 0}
        if is_connected(socket):
            self.upload = socket.allow_upload("file", UploadConstraints())
            say("mounted")

    async def handle_event(self, event, payload, socket):
        if event == "add":
            socket.context["count"] += int(payload["by"])
        elif event == "start":
            socket.schedule_info(InfoEvent("tick"), 0.2)
        elif event == "shout":
            await socket.push_event("shouted", {"text": payload["text"]})
        elif event == "crash":
            raise RuntimeError("the view crashes")
        elif event == "read":
            with self.upload.consume_uploads() as uploads:
                for upload in uploads:
                    with open(upload.file.name, "rb") as file:
                        say("uploaded", file.read().hex())

    async def handle_info(self, event, socket):
        socket.context["ticks"] += 1

    async def disconnect(self, socket):
        say("gone")

    async def render(self, assigns, meta):
        return LiveRender(TEMPLATE, assigns, meta)


application = PyView()
application.add_live_view("/count", CountView)
serve(application, int(sys.argv[1]))
