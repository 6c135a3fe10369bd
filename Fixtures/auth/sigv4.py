"""Signs random requests with botocore and prints a line of JSON for each; the first argument is their number."""
import base64
import datetime
import json
import random
import string
import sys

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

NOW = datetime.datetime(2024, 2, 29, 23, 59, 58)
botocore.auth.get_current_datetime = lambda *_, **__: NOW
random.seed(4)
STRICT = string.ascii_letters + string.digits + "-._~"
ANY = [chr(c) for c in range(33, 127)] + ["ä", "ሴ", "😀", " "]


def escaped(text, safe=STRICT):
    return "".join(c if c in safe else "".join(f"%{b:02X}" for b in c.encode()) for c in text)


def word(alphabet, least=1, most=12):
    return "".join(random.choice(alphabet) for _ in range(random.randint(least, most)))


def make():
    kind = random.choice(["plain", "plain", "s3", "query", "s3query"])
    is_s3 = kind.startswith("s3")
    segments = [escaped(word(ANY)) for _ in range(random.randint(0, 4))]
    if not is_s3 and random.random() < 0.3:
        segments.insert(random.randint(0, len(segments)), random.choice(["", ".", ".."]))
    path = "/" + "/".join(segments) + random.choice(["", "/"] if segments else [""])
    query = [(escaped(word(ANY)), escaped(word(ANY, 0))) for _ in range(random.randint(0, 4))]
    # botocore's query signer keeps only one item of each name.
    if query and "query" not in kind and random.random() < 0.3:
        query.append((query[0][0], escaped(word(ANY))))
    text = "&".join(f"{k}={v}" for k, v in query)
    host = word(string.ascii_lowercase) + ".amazonaws.com" + random.choice(["", "", ":8443", ":443"])
    url = f"https://{host}{path}" + ("?" + text if text else "")
    headers = {"X-" + word(string.ascii_letters): word([*string.ascii_letters, " ", " "], 1, 30).strip() or "x"
               for _ in range(random.randint(0, 4))}
    if random.random() < 0.3:
        headers["User-Agent"] = "someone"
    body = random.randbytes(random.randint(0, 200)) if random.random() < 0.6 else b""
    method = random.choice(["PUT", "POST", "PATCH"]) if body else random.choice(["GET", "DELETE", "HEAD"])
    token = "tok/en+=" + word(STRICT) if random.random() < 0.3 else None
    secret = word(STRICT, 20, 90)
    region = random.choice(["us-east-1", "eu-central-1", "cn-north-1"])
    service = "s3" if is_s3 else random.choice(["execute-api", "dynamodb", "sqs"])
    unsigned = is_s3 and random.random() < 0.4
    if "query" in kind:
        body, method = b"", "GET"
    if unsigned:
        # Without this header, S3's signer hashes the body anyway.
        headers["Content-MD5"] = "x"
    request = AWSRequest(method=method, url=url, headers=dict(headers), data=body)
    if is_s3:
        request.context["payload_signing_enabled"] = not unsigned
    signer = {"plain": botocore.auth.SigV4Auth, "s3": botocore.auth.S3SigV4Auth,
              "query": botocore.auth.SigV4QueryAuth, "s3query": botocore.auth.S3SigV4QueryAuth}[kind]
    expires = random.randint(1, 7 * 86400)
    more = (expires,) if "query" in kind else ()
    signer(Credentials("AKIDEXAMPLE", secret, token), service, region, *more).add_auth(request)
    return {
        "kind": kind, "method": method, "host": host, "target": path + ("?" + text if text else ""),
        "headers": [[k, v] for k, v in headers.items()], "body": base64.b64encode(body).decode(), "token": token,
        "secret": secret, "region": region, "service": service, "unsigned": unsigned, "expires": expires,
        "date": NOW.replace(tzinfo=datetime.timezone.utc).timestamp(),
        "authorization": request.headers.get("Authorization"), "url": request.url,
    }


for _ in range(int(sys.argv[1])):
    print(json.dumps(make()))
print("end", flush=True)
