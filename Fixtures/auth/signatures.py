"""Signs and verifies requests with http-message-signatures. `make KEYS COUNT` signs random requests and prints a line of JSON for
each; `check KEYS FILE` prints for each line of a file whether the request's signature is right. KEYS is signature-cases.json."""
import base64
import datetime
import json
import random
import string
import sys
import types

import http_message_signatures as h

with open(sys.argv[2]) as file:
    cases = json.load(file)
KEYS = {name: (value["private"].encode(), value["public"].encode()) for name, value in cases["keys"].items()}
SECRET = base64.b64decode(cases["secret"])
ALGORITHMS = {
    "test-key-rsa-pss": h.algorithms.RSA_PSS_SHA512, "test-key-ed25519": h.algorithms.ED25519,
    "test-key-ecc-p256": h.algorithms.ECDSA_P256_SHA256, "test-shared-secret": h.algorithms.HMAC_SHA256,
}


class Keys(h.HTTPSignatureKeyResolver):
    def resolve_private_key(self, key_id):
        return SECRET if key_id == "test-shared-secret" else KEYS[key_id][0]

    def resolve_public_key(self, key_id):
        return SECRET if key_id == "test-shared-secret" else KEYS[key_id][1]


def word(alphabet=string.ascii_letters, least=1, most=10):
    return "".join(random.choice(alphabet) for _ in range(random.randint(least, most)))


def make():
    key = random.choice(list(ALGORITHMS))
    items = {word(): word(string.ascii_letters + "*-._~ +%ä", 0) for _ in range(random.randint(0, 3))}
    from urllib.parse import quote, quote_plus
    query = "&".join(f"{k}={random.choice([quote, quote_plus])(v)}" for k, v in items.items())
    host = "example.com" + random.choice(["", ":8443"])
    url = f"https://{host}/" + quote(word(string.ascii_letters + " /:", 0)) + ("?" + query if query else "")
    headers = {"X-" + word(): " ".join(word() for _ in range(random.randint(1, 4))) for _ in range(random.randint(0, 3))}
    headers["Priority"] = "u=2, i;q=?0"
    covered = ["@method", "@target-uri", "@authority", "@scheme", "@request-target", "@path", "@query",
               '"priority";key="u"', '"priority";key="i"', '"priority";bs']
    covered += [f'"@query-param";name="{name}"' for name in items] + [name.lower() for name in headers]
    random.shuffle(covered)
    covered = covered[:random.randint(1, len(covered))]
    message = types.SimpleNamespace(method=random.choice(["GET", "POST"]), url=url, headers=dict(headers))
    signer = h.HTTPMessageSigner(signature_algorithm=ALGORITHMS[key], key_resolver=Keys())
    signer.sign(message, key_id=key, label="sig1", covered_component_ids=covered,
                created=datetime.datetime.fromtimestamp(1700000000, datetime.timezone.utc),
                nonce=random.choice([None, word()]), include_alg=random.choice([True, False]))
    return {"key": key, "method": message.method, "url": url, "headers": [[k, v] for k, v in message.headers.items()]}


def check(line):
    case = json.loads(line)
    headers = {name: value for name, value in case["headers"]}
    message = types.SimpleNamespace(method=case["method"], url=case["url"], headers=headers)
    verifier = h.HTTPMessageVerifier(signature_algorithm=ALGORITHMS[case["key"]], key_resolver=Keys())
    try:
        results = verifier.verify(message, max_age=datetime.timedelta(days=36500))
        return "right " + " ".join(sorted(results[0].covered_components))
    except Exception as error:  # every kind of error is a verdict
        return f"wrong {error!r}"


if sys.argv[1] == "make":
    random.seed(9)
    for _ in range(int(sys.argv[3])):
        print(json.dumps(make()))
else:
    with open(sys.argv[3]) as file:
        for text in file:
            print(check(text))
print("end", flush=True)
