internal import HTTPTypes
public import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Asks an OAuth 2.0 token endpoint for tokens (RFC 6749): the grants that need no browser.
///
///     let oauth = OAuthClient(
///         tokenURL: "https://id.example.com/token", clientID: "app", clientSecret: "s3cret",
///         client: HTTPClient(baseURL: "https://id.example.com"))
///     let client = HTTPClient(
///         configuration: .init(
///             baseURL: "https://api.example.com",
///             middleware: [AuthMiddleware(oauth.credentials(scopes: ["read"]))]))
///
/// Its client must not be the one that sends the tokens: a refused refresh would wait for itself.
///
/// A refusal of the endpoint ends the calls that wait for the token as ``NetCore/NetError/Code/authentication``, which nothing
/// repeats, with the endpoint's words. If the endpoint can't be reached, they end with that error's own code, `.connect` for
/// example, and a ``RetryMiddleware`` outside of ``AuthMiddleware`` repeats them as it repeats any other.
public struct OAuthClient: Sendable {
    /// How the program proves who it is (RFC 6749 section 2.3.1).
    public enum Proof: Sendable, Hashable {
        /// Id and secret in `Authorization`, form-encoded first.
        case basic
        /// Id and secret in the body.
        case body
    }

    private let tokenURL: String
    private let clientID: String
    private let clientSecret: String?
    private let proof: Proof
    private let client: any APIClient

    /// Takes the endpoint and the program's id; without a secret, the id alone is sent in the body. Default ``Proof/basic``.
    public init(
        tokenURL: String, clientID: String, clientSecret: String? = nil, proof: Proof = .basic, client: any APIClient
    ) {
        self.tokenURL = tokenURL
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.proof = proof
        self.client = client
    }

    /// Returns a token for the program itself (RFC 6749 section 4.4). Throws `.rejected` with the endpoint's error, and `.failed`
    /// with the code `.authentication` if it refuses without one.
    public func clientCredentials(scopes: [String] = []) async throws(APIError<OAuthError>) -> OAuthToken {
        try await token([QueryItem("grant_type", "client_credentials")] + scope(scopes))
    }

    /// Returns another token for the one that gave the refresh token (RFC 6749 section 6). Throws as
    /// ``clientCredentials(scopes:)`` does: `invalid_grant` if the refresh token is over.
    public func refresh(_ refreshToken: String, scopes: [String] = []) async throws(APIError<OAuthError>) -> OAuthToken
    {
        try await token(
            [QueryItem("grant_type", "refresh_token"), QueryItem("refresh_token", refreshToken)] + scope(scopes))
    }

    /// Credentials that renew themselves: with the refresh token while there is one, else with the program's own id and
    /// secret. Where the refresh token is over (`invalid_grant`) and `initial` was not given, the latter takes its place.
    public func credentials(
        initial: Credential? = nil, scopes: [String] = [],
        configuration: RefreshingCredentials.Configuration = RefreshingCredentials.Configuration()
    ) -> RefreshingCredentials {
        let clock = configuration.clock
        // A user's token must not become the program's own.
        let isUsers = initial?.renewal != nil
        return RefreshingCredentials(initial: initial, configuration: configuration) { old in
            guard let renewal = old?.renewal else {
                return try await clientCredentials(scopes: scopes).credential(receivedAt: clock.date())
            }
            do {
                var token = try await refresh(renewal, scopes: scopes)
                // The old one stays good where no other comes (section 6).
                if token.refreshToken == nil { token.refreshToken = renewal }
                return try token.credential(receivedAt: clock.date())
            } catch APIError<OAuthError>.rejected(let error, _) where error.error == "invalid_grant" && !isUsers {
                return try await clientCredentials(scopes: scopes).credential(receivedAt: clock.date())
            }
        }
    }

    private func scope(_ scopes: [String]) -> [QueryItem] {
        scopes.isEmpty ? [] : [QueryItem("scope", scopes.joined(separator: " "))]
    }

    private func token(_ form: [QueryItem]) async throws(APIError<OAuthError>) -> OAuthToken {
        var (form, headers) = (form, HTTPFields())
        if let clientSecret, proof == .basic {
            do throws(NetError) {
                headers.authorization = try .basic(
                    user: PercentEncoding.formEncode(clientID), password: PercentEncoding.formEncode(clientSecret))
            } catch {
                throw .failed(error)
            }
        } else {
            form.append(QueryItem("client_id", clientID))
            if let clientSecret { form.append(QueryItem("client_secret", clientSecret)) }
        }
        do throws(APIError<OAuthError>) {
            return try await client.send(TokenRequest(url: tokenURL, form: form, headers: headers))
        } catch {
            throw refusal(error, sent: form)
        }
    }

    /// Returns the error without the secrets that were sent. A refusal in other words than OAuth's is one too.
    private func refusal(_ error: APIError<OAuthError>, sent form: [QueryItem]) -> APIError<OAuthError> {
        switch error {
        case .rejected(var failure, let response):
            let secrets = form.filter { ["refresh_token", "client_secret"].contains($0.name) }.compactMap(\.value)
            failure.hide(secrets + [clientSecret].compactMap { $0 })
            return .rejected(failure, response)
        case .failed(let error):
            guard error.code == .unacceptableStatus, let status = error.status, [400, 401, 403].contains(status) else {
                return .failed(error)
            }
            // The body may quote what was sent: only the cause has it.
            return .failed(
                NetError(
                    .authentication, phase: error.phase,
                    message: "the token endpoint refused with status \(status) and gave no OAuth error",
                    underlying: error, call: error.call, elapsed: error.elapsed,
                    response: error.response.map { NetError.FailedResponse(head: $0.head, body: Bytes()) }))
        }
    }
}

extension OAuthClient: CustomStringConvertible, CustomReflectable {
    /// The endpoint and the program's ID, without secrets.
    public var description: String {
        "OAuthClient(\(clientID) at \(RedactionPolicy.safeDefault.redact(url: tokenURL)))"
    }

    /// The same in parts.
    public var customMirror: Mirror {
        let url = RedactionPolicy.safeDefault.redact(url: tokenURL)
        return Mirror(self, children: ["tokenURL": url, "clientID": clientID, "proof": proof], displayStyle: .struct)
    }
}

private struct TokenRequest: APIRequest {
    typealias Response = OAuthToken
    typealias Failure = OAuthError

    let url: String
    let form: [QueryItem]
    let headers: HTTPFields

    var path: Path { "" }
    var method: HTTPRequest.Method { .post }
    var body: RequestBody { .form(form) }
    var options: RequestOptions {
        var options = RequestOptions(absoluteURL: url)
        options.maximumResponseBytes = 1 << 20
        options.metadata = RequestMetadata(name: "oauth-token")
        return options
    }
}
