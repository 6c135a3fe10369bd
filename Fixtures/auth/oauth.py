"""An authorization server based on authlib: prints its port, serves until its standard input ends.

  POST /token       client_credentials, refresh_token, authorization_code (PKCE required), device_code
  GET  /authorize   the user's page: redirects immediately; login_hint=nobody refuses
  POST /device      begins a login on another device; the second poll gets the error slow_down
  POST /allow       `code=USER_CODE&answer=yes|no`: the user's decision
  POST /end         expires all access tokens
  GET  /me          the user, the client and the scope of the token in the request
  GET  /polls       the number of polls of each device login, as JSON
"""
import logging
import os
import secrets
import sys
import threading
import time

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector  # noqa: E402
from authlib.oauth2.rfc6749 import grants, ClientMixin, AuthorizationCodeMixin, TokenMixin  # noqa: E402
from authlib.oauth2.rfc6750 import BearerTokenValidator  # noqa: E402
from authlib.oauth2.rfc7636 import CodeChallenge  # noqa: E402
from authlib.oauth2.rfc8628 import (  # noqa: E402
    DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict)
from authlib.integrations.flask_oauth2 import current_token  # noqa: E402
from flask import Flask, jsonify, request  # noqa: E402
from werkzeug.serving import make_server  # noqa: E402

logging.getLogger("werkzeug").setLevel(logging.ERROR)
LOCK = threading.Lock()
CODES, TOKENS, DEVICES, ANSWERS = {}, [], {}, {}


class Client(ClientMixin):
    def __init__(self, client_id, secret, methods, grant_types):
        self.client_id, self.secret, self.methods, self.grant_types = client_id, secret, methods, grant_types

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return "http://127.0.0.1:9/done"

    def get_allowed_scope(self, scope):
        return " ".join(s for s in (scope or "").split() if s in ("read", "write"))

    def check_redirect_uri(self, uri):
        return uri == self.get_default_redirect_uri()

    def check_client_secret(self, secret):
        return self.secret is not None and secrets.compare_digest(self.secret, secret)

    def check_endpoint_auth_method(self, method, endpoint):
        return method in self.methods

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type in self.grant_types


CLIENTS = {
    "app": Client("app", "s3cret", ["client_secret_basic", "client_secret_post"],
                      ["client_credentials", "refresh_token"]),
    "cli": Client("cli", None, ["none"],
                  ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"]),
}


class Token(dict, TokenMixin):
    def check_client(self, client):
        return self["client_id"] == client.get_client_id()

    def get_scope(self):
        return self.get("scope", "")

    def get_expires_in(self):
        return self["expires_in"]

    def is_expired(self):
        return self.get("ended", False)

    def is_revoked(self):
        return self.get("revoked", False)


class Code(dict, AuthorizationCodeMixin):
    def get_redirect_uri(self):
        return self["redirect_uri"]

    def get_scope(self):
        return self["scope"]

    def get_nonce(self):
        return None

    def get_auth_time(self):
        return int(time.time())

    code_challenge = property(lambda self: self["code_challenge"])
    code_challenge_method = property(lambda self: self["code_challenge_method"])


def save_token(token, req):
    with LOCK:
        TOKENS.append(Token(token, client_id=req.client.get_client_id(), user=req.user or "the app"))


app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(app, query_client=CLIENTS.get, save_token=save_token)
protect = ResourceProtector()


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def save_authorization_code(self, code, req):
        data = req.payload.data
        with LOCK:
            CODES[code] = Code(
                code=code, client_id=req.client.client_id, redirect_uri=req.payload.redirect_uri,
                scope=req.payload.scope or "", user=req.user, code_challenge=data.get("code_challenge"),
                code_challenge_method=data.get("code_challenge_method"))

    def query_authorization_code(self, code, client):
        found = CODES.get(code)
        return found if found and found["client_id"] == client.client_id else None

    def delete_authorization_code(self, code):
        CODES.pop(code["code"], None)

    def authenticate_user(self, code):
        return code["user"]


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        with LOCK:
            for token in TOKENS:
                if token.get("refresh_token") == refresh_token and not token.is_revoked():
                    return token
        return None

    def authenticate_user(self, token):
        return token["user"]

    def revoke_old_credential(self, token):
        token["revoked"] = True


class ClientCredentials(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    def get_verification_uri(self):
        return request.host_url + "enter"

    def save_device_credential(self, client_id, scope, data):
        with LOCK:
            DEVICES[data["device_code"]] = DeviceCredentialDict(
                client_id=client_id, scope=scope, expires_at=time.time() + 1800, polls=0, **{
                    k: data[k] for k in ("device_code", "user_code", "interval")})


class DeviceGrant(DeviceCodeGrant):
    def query_device_credential(self, device_code):
        return DEVICES.get(device_code)

    def query_user_grant(self, user_code):
        answer = ANSWERS.get(user_code)
        return None if answer is None else ("ann", answer == "yes")

    def should_slow_down(self, credential):
        credential["polls"] += 1
        return credential["polls"] == 2


server.register_grant(CodeGrant, [CodeChallenge(required=True)])
server.register_grant(RefreshGrant)
server.register_grant(ClientCredentials)
server.register_grant(DeviceGrant)
server.register_endpoint(DeviceEndpoint)


class Validator(BearerTokenValidator):
    def authenticate_token(self, text):
        with LOCK:
            return next((t for t in TOKENS if t["access_token"] == text), None)


protect.register_token_validator(Validator())


@app.post("/token")
def token():
    return server.create_token_response()


@app.get("/authorize")
def authorize():
    user = None if request.args.get("login_hint") == "nobody" else "ann"
    grant = server.get_consent_grant(end_user=user)
    return server.create_authorization_response(grant_user=user, grant=grant)


@app.post("/device")
def device():
    return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.post("/allow")
def allow():
    ANSWERS[request.form["code"]] = request.form["answer"]
    return ""


@app.post("/end")
def end():
    with LOCK:
        for item in TOKENS:
            item["ended"] = True
    return ""


@app.get("/me")
@protect("read")
def me():
    return f"{current_token['user']} by {current_token['client_id']}, {current_token.get_scope()}"


@app.get("/polls")
def polls():
    return jsonify([credential["polls"] for credential in DEVICES.values()])


listening = make_server("127.0.0.1", 0, app, threaded=True)
print(listening.server_port, flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
listening.serve_forever()
