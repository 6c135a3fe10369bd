internal import HTTPTypes
public import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Requests tokens from an OAuth 2.0 token endpoint (RFC 6749): for the app itself, with a refresh token, after a login
/// in a browser, and after a login on another device.
///
///     let oauth = OAuthClient(
///         tokenURL: "https://id.example.com/token", clientID: "app", clientSecret: "s3cret",
///         client: HTTPClient(baseURL: "https://id.example.com"))
///     let client = HTTPClient(baseURL: "https://api.example.com") {
///         $0.middleware = [AuthMiddleware(oauth.credentials(scopes: ["read"]))]
///     }
///
/// Its `client` must not be the one whose `AuthMiddleware` uses these tokens: a rejected refresh would wait for itself.
///
/// If the endpoint refuses, the calls that wait for the token fail with ``NetCore/NetError/Code/authentication``, which
/// isn't retried, and the endpoint's message. If the endpoint can't be reached, they fail with that error's own code,
/// such as `.connect`, and a `RetryMiddleware` outside ``AuthMiddleware`` retries them like any other call. A redirect
/// is followed within the endpoint's origin only; another one is the error `.redirect`, whose message names the target.
public struct OAuthClient: Sendable {
    /// The way the app authenticates to the endpoint (RFC 6749 section 2.3.1).
    public enum Proof: Sendable, Hashable {
        /// ID and secret in `Authorization`, form-encoded first.
        case basic
        /// ID and secret in the body.
        case body
    }

    private let tokenURL: String
    let clientID: String
    private let clientSecret: String?
    private let proof: Proof
    let client: any APIClient
    let clock: NetClock

    /// Creates a client of a token endpoint.
    ///
    /// - Parameters:
    ///   - tokenURL: The URL of the endpoint, absolute or relative to the client's base URL.
    ///   - clientID: The app's ID.
    ///   - clientSecret: The app's secret. Default nil, which sends only the ID, in the body.
    ///   - proof: The way the app authenticates. Default ``Proof/basic``.
    ///   - client: The client that sends the requests for tokens.
    ///   - clock: The clock for the wait until the user has logged in on another device. Default: the system's.
    public init(
        tokenURL: String, clientID: String, clientSecret: String? = nil, proof: Proof = .basic, client: any APIClient,
        clock: NetClock = .system
    ) {
        self.tokenURL = tokenURL
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.proof = proof
        self.client = client
        self.clock = clock
    }

    /// Returns a token for the app itself (RFC 6749 section 4.4).
    ///
    /// Throws `.rejected` with the endpoint's error, and `.failed` with the code `.authentication` if the endpoint
    /// refuses without an OAuth error.
    public func clientCredentials(scopes: [String] = []) async throws(APIError<OAuthError>) -> OAuthToken {
        try await token([QueryItem("grant_type", "client_credentials")] + scope(scopes))
    }

    /// Returns a new token in place of the one that came with the refresh token (RFC 6749 section 6).
    ///
    /// Throws like ``clientCredentials(scopes:)``; the error is `invalid_grant` if the refresh token is no longer
    /// valid.
    public func refresh(_ refreshToken: String, scopes: [String] = []) async throws(APIError<OAuthError>) -> OAuthToken
    {
        try await token(
            [QueryItem("grant_type", "refresh_token"), QueryItem("refresh_token", refreshToken)] + scope(scopes))
    }

    /// Returns credentials that renew themselves: with the refresh token if there is one, otherwise with the app's own
    /// ID and secret.
    ///
    /// If the refresh token is no longer valid (`invalid_grant`), the ID and secret are used in its place, unless
    /// `initial` came with a refresh token: a user's credential isn't replaced by the app's own, so the call fails.
    public func credentials(
        initial: Credential? = nil, scopes: [String] = [],
        configuration: RefreshingCredentials.Configuration = RefreshingCredentials.Configuration()
    ) -> RefreshingCredentials {
        let clock = configuration.clock
        // A user's token must not be replaced by the app's own.
        let isUsers = initial?.renewal != nil
        return RefreshingCredentials(initial: initial, configuration: configuration) { old in
            guard let renewal = old?.renewal else {
                return try await clientCredentials(scopes: scopes).credential(receivedAt: clock.date())
            }
            do {
                var token = try await refresh(renewal, scopes: scopes)
                // The old refresh token stays valid if the response has no new one (section 6).
                if token.refreshToken == nil { token.refreshToken = renewal }
                return try token.credential(receivedAt: clock.date())
            } catch APIError<OAuthError>.rejected(let error, _) where error.error == "invalid_grant" && !isUsers {
                return try await clientCredentials(scopes: scopes).credential(receivedAt: clock.date())
            }
        }
    }

    func scope(_ scopes: [String]) -> QueryItems {
        scopes.isEmpty ? [] : [QueryItem("scope", scopes.joined(separator: " "))]
    }

    func token(_ form: QueryItems) async throws(APIError<OAuthError>) -> OAuthToken {
        try await post(form, to: OAuthEndpoint(text: tokenURL), name: "oauth-token")
    }

    /// Sends a form with the app's proof.
    func post<Value: Decodable & Sendable>(
        _ form: QueryItems, to endpoint: OAuthEndpoint, name: String
    ) async throws(APIError<OAuthError>) -> Value {
        var request = OAuthRequest<Value>(endpoint: endpoint, name: name, form: form)
        if let clientSecret, proof == .basic {
            do throws(NetError) {
                request.headers.authorization = try .basic(
                    user: PercentEncoding.formEncode(clientID), password: PercentEncoding.formEncode(clientSecret))
            } catch {
                throw .failed(error)
            }
        } else {
            request.form.append(QueryItem("client_id", clientID))
            if let clientSecret { request.form.append(QueryItem("client_secret", clientSecret)) }
        }
        do throws(APIError<OAuthError>) {
            return try await client.send(request)
        } catch {
            throw refusal(error, sent: request.form)
        }
    }

    private static let secretNames = ["refresh_token", "client_secret", "code", "code_verifier", "device_code"]

    /// Returns the error without the secrets that were sent. A status of 400, 401 or 403 is a refusal even without an
    /// OAuth error.
    private func refusal(_ error: APIError<OAuthError>, sent form: QueryItems) -> APIError<OAuthError> {
        switch error {
        case .rejected(var failure, let response):
            let secrets = form.filter { Self.secretNames.contains($0.name) }.compactMap(\.value)
            failure.hide(secrets + [clientSecret].compactMap { $0 })
            return .rejected(failure, response)
        case .failed(let error):
            guard error.code == .unacceptableStatus, let status = error.status, [400, 401, 403].contains(status) else {
                return .failed(error)
            }
            // The body may quote the sent secrets, so only the underlying error contains it.
            return .failed(
                NetError(
                    .authentication, phase: error.phase,
                    message: "the token endpoint refused the request with status \(status), without an OAuth error",
                    underlying: error, call: error.call, elapsed: error.elapsed,
                    response: error.response.map { NetError.FailedResponse(head: $0.head, body: Bytes()) }))
        }
    }
}

extension OAuthClient: CustomStringConvertible, CustomReflectable {
    /// The endpoint and the app's ID, without secrets.
    public var description: String {
        "OAuthClient(\(clientID) at \(RedactionPolicy.safeDefault.redact(url: tokenURL)))"
    }

    /// The endpoint, the app's ID and the way it authenticates, without secrets.
    public var customMirror: Mirror {
        let url = RedactionPolicy.safeDefault.redact(url: tokenURL)
        return Mirror(self, children: ["tokenURL": url, "clientID": clientID, "proof": proof], displayStyle: .struct)
    }
}
