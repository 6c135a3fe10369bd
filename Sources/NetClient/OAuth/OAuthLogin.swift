internal import NetCore
internal import NetCrypto

/// One login in a browser: an authorization code (RFC 6749 section 4.1) with PKCE (RFC 7636).
///
/// ``OAuthClient/login(at:redirectingTo:scopes:issuer:parameters:random:)`` creates it. Open ``url`` in a browser, and
/// pass the URL that the browser is redirected to to ``OAuthClient/token(for:redirectedTo:)``. Keep this value until
/// then: it contains the secret with which only this app can redeem the code. Its description shows neither that secret
/// nor the URL's query.
///
///     let oauth = OAuthClient(tokenURL: "token", clientID: "app", client: client)
///     let login = try oauth.login(at: "authorize", redirectingTo: "com.example.app:/done")
///     print(login)  // login at https://id.example.com/authorize
public struct OAuthLogin: Sendable {
    /// The URL to open in a browser. Don't log it: it contains ``state``.
    public let url: String
    /// The URL that the browser returns to.
    public let redirectURL: String
    /// The unpredictable value that the redirect must repeat, which binds it to this login.
    public let state: String
    /// The issuer that the redirect must name (RFC 9207); nil to not check it.
    public let issuer: String?
    /// The secret whose hash the URL contains.
    let verifier: String

    /// Returns 256 unpredictable bits in base64url, without padding: 43 characters, as RFC 7636 section 4.1 asks for.
    static func secret(_ random: NetRandom) -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes.withUnsafeMutableBytes { random.fill($0) }
        return Bytes(bytes).base64URL
    }

    /// Returns the challenge of a verifier (RFC 7636 section 4.2); nil if the system forbids SHA-256.
    static func challenge(of verifier: String) -> String? {
        RunningHash.digest(of: Bytes(verifier.utf8), .sha256)?.base64URL
    }

    /// Returns the code of a redirect. Throws `.authentication` if the redirect isn't the response to this login, or if
    /// the server refuses.
    func code(in redirect: String) throws(NetError) -> String {
        var values: [String: String] = [:]
        for item in (URLReference(redirect).query ?? "").split(separator: "&").prefix(64) {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentEncoding.decode(parts[0], plusIsSpace: true)
            // A parameter that occurs twice is an error (RFC 6749 section 3.1).
            guard values[name] == nil else { throw Self.refuse("the redirect has a parameter twice") }
            values[name] = parts.count > 1 ? PercentEncoding.decode(parts[1], plusIsSpace: true) : ""
        }
        guard values["state"] == state else {
            throw Self.refuse(
                "the redirect isn't the response to this login: its state differs; discard it and start again")
        }
        if let issuer, values["iss"] != issuer {
            throw Self.refuse("the redirect comes from another issuer than the one that the login was sent to")
        }
        if let error = values["error"] {
            let refusal = OAuthError(
                error: error, details: values["error_description"], page: values["error_uri"])
            throw Self.refuse("the login was refused: \(refusal)", refusal)
        }
        guard let code = values["code"], !code.isEmpty else { throw Self.refuse("the redirect has no code") }
        return code
    }

    private static func refuse(_ message: String, _ cause: OAuthError? = nil) -> NetError {
        NetError(.authentication, phase: .validating, message: message, underlying: cause)
    }
}

extension OAuthLogin: CustomStringConvertible, CustomReflectable {
    /// Only the URL without its query.
    public var description: String { "login at \(url.prefix { $0 != "?" })" }
    public var customMirror: Mirror { Mirror(self, children: ["login": description], displayStyle: .struct) }
}

extension Bytes {
    /// The bytes in base64 with the alphabet for URLs, without padding (RFC 4648 section 5).
    var base64URL: String {
        String(
            Base64.encode(self).compactMap { character -> Character? in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }
}
