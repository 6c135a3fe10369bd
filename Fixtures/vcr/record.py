#!/usr/bin/env python3
"""Records the requests of a small program with vcrpy (YAML, JSON, and with decoded bodies), with vcrpy and HTTPX, and with Betamax.

    python3 -m venv VENV && VENV/bin/pip install -r requirements.txt && VENV/bin/python record.py FOLDER

The host in the files is shop.test, so that they don't depend on the port.
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import server  # noqa: E402


def calls(get, post, base):
    """The program: what a shop's client does."""
    headers = {"Authorization": "Bearer planted-token-0123456789"}
    get(f"{base}/items/7", headers={})
    get(f"{base}/items?page=1", headers={})
    get(f"{base}/picture", headers={})
    get(f"{base}/stock", headers={})
    get(f"{base}/stock", headers={})
    get(f"{base}/me?api_key=planted-key-0123456789", headers=headers)
    post(f"{base}/orders", "item=7&count=2", {"Content-Type": "application/x-www-form-urlencoded"})
    post(f"{base}/orders", b"\x00\xff\x10binary", {"Content-Type": "application/octet-stream"})
    get(f"{base}/nowhere", headers={})


def with_vcrpy(folder, name, serializer, **options):
    import requests
    import vcr

    running, place = server.start()

    def renamed(request):
        request.uri = request.uri.replace(place, "shop.test")
        return request

    recorder = vcr.VCR(serializer=serializer, before_record_request=renamed, **options)
    with recorder.use_cassette(str(folder / name), record_mode="all"):
        session = requests.Session()
        calls(lambda url, headers: session.get(url, headers=headers),
              lambda url, data, headers: session.post(url, data=data, headers=headers), f"http://{place}")
    running.shutdown()


def with_httpx(folder):
    import httpx
    import vcr

    running, place = server.start()

    def renamed(request):
        request.uri = request.uri.replace(place, "shop.test")
        return request

    with vcr.VCR(before_record_request=renamed).use_cassette(str(folder / "vcrpy-httpx.yaml"), record_mode="all"):
        with httpx.Client() as client:
            calls(lambda url, headers: client.get(url, headers=headers),
                  lambda url, data, headers: client.post(url, content=data, headers=headers), f"http://{place}")
    running.shutdown()


def with_betamax(folder):
    import betamax
    import requests

    running, place = server.start()

    def renamed(interaction, cassette):
        for part in (interaction.data["request"], interaction.data["response"]):
            for member in ("uri", "url"):
                if member in part:
                    part[member] = part[member].replace(place, "shop.test")

    with betamax.Betamax.configure() as config:
        config.cassette_library_dir = str(folder)
        # Without it, Betamax replaces bytes that aren't UTF-8.
        config.default_cassette_options["preserve_exact_body_bytes"] = True
        config.before_record(callback=renamed)
    session = requests.Session()
    with betamax.Betamax(session).use_cassette("betamax", record="all"):
        calls(lambda url, headers: session.get(url, headers=headers),
              lambda url, data, headers: session.post(url, data=data, headers=headers), f"http://{place}")
    running.shutdown()


def main():
    folder = Path(sys.argv[1])
    with_vcrpy(folder, "vcrpy.yaml", "yaml")
    with_vcrpy(folder, "vcrpy-decoded.yaml", "yaml", decode_compressed_response=True,
               filter_headers=[("Authorization", "DUMMY")])
    with_httpx(folder)
    with_betamax(folder)


main()
