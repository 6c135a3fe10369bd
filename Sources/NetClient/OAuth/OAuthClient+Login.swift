public import NetCore

extension OAuthClient {
    /// Begins a login in a browser: an authorization code (RFC 6749 section 4.1) with PKCE (RFC 7636, S256).
    ///
    ///     let oauth = OAuthClient(tokenURL: "token", clientID: "app", client: client)
    ///     let login = try oauth.login(at: "authorize", redirectingTo: "http://127.0.0.1:8765/done", scopes: ["read"])
    ///     print("Open \(login.url), and paste where it leads:")
    ///     let token = try await oauth.token(for: login, redirectedTo: readLine() ?? "")
    ///     let credentials = oauth.credentials(initial: try token.credential(receivedAt: Date()))
    ///     let api = client.with { $0.middleware = [AuthMiddleware(credentials)] }
    ///     print(try await api.get("me", as: String.self))
    ///
    /// Throws `.invalidRequest` if the page's URL isn't valid, and `.unsupported` if the system forbids SHA-256.
    ///
    /// - Parameters:
    ///   - page: The URL of the authorization endpoint, absolute or relative to the client's base URL.
    ///   - redirectURL: The URL that the browser returns to, as it is registered with the server.
    ///   - scopes: The scopes to ask for. Default none.
    ///   - issuer: The issuer that the redirect must name in `iss` (RFC 9207). Default nil, which doesn't check it.
    ///   - parameters: Further parameters of the page, such as `prompt` or `login_hint`. Default none.
    ///   - random: The source of the secrets. Default: the system's.
    public func login(
        at page: String, redirectingTo redirectURL: String, scopes: [String] = [], issuer: String? = nil,
        parameters: QueryItems = [], random: NetRandom = .system
    ) throws(NetError) -> OAuthLogin {
        let (state, verifier) = (OAuthLogin.secret(random), OAuthLogin.secret(random))
        guard let challenge = OAuthLogin.challenge(of: verifier) else {
            throw NetError(.unsupported, phase: .preparing, message: "the system forbids SHA-256, which PKCE needs")
        }
        let own: QueryItems = [
            QueryItem("response_type", "code"), QueryItem("client_id", clientID),
            QueryItem("redirect_uri", redirectURL), QueryItem("state", state),
            QueryItem("code_challenge", challenge), QueryItem("code_challenge_method", "S256"),
        ]
        let shown = OAuthPage(
            endpoint: OAuthEndpoint(text: page), added: parameters + own + scope(scopes))
        return OAuthLogin(
            url: try client.prepare(shown).url, redirectURL: redirectURL, state: state, issuer: issuer,
            verifier: verifier)
    }

    /// Returns the token of a login whose browser was redirected to `url`.
    ///
    /// Throws `.failed` with the code `.authentication` before anything is sent if the redirect isn't the response to
    /// this login (its `state` or issuer differs), or if the redirect reports that the user refused; the cause is then
    /// an ``OAuthError``. Otherwise throws like ``clientCredentials(scopes:)``.
    public func token(
        for login: OAuthLogin, redirectedTo url: String
    ) async throws(APIError<OAuthError>) -> OAuthToken {
        let code: String
        do throws(NetError) {
            code = try login.code(in: url)
        } catch {
            throw .failed(error)
        }
        return try await token([
            QueryItem("grant_type", "authorization_code"), QueryItem("code", code),
            QueryItem("redirect_uri", login.redirectURL), QueryItem("code_verifier", login.verifier),
        ])
    }
}
