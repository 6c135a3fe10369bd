public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The response of an OAuth 2.0 token endpoint (RFC 6749 section 5.1). Printing it doesn't show the tokens.
public struct OAuthToken: Sendable, Hashable, Decodable {
    /// The access token; a secret.
    public var accessToken: String
    /// The type as sent by the server, in any case: `Bearer`, which is also the default if it is missing.
    public var tokenType: String
    /// The lifetime in seconds; nil if the server doesn't specify it.
    public var lifetime: Double?
    /// The refresh token, which requests the next token; nil if there is none. A secret.
    public var refreshToken: String?
    /// The granted scope if it differs from the requested one.
    public var scope: String?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case lifetime = "expires_in"
        case refreshToken = "refresh_token"
        case scope
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try container.decode(String.self, forKey: .accessToken)
        tokenType = try container.decodeIfPresent(String.self, forKey: .tokenType) ?? "Bearer"
        // A number according to the standard; some servers send a string.
        if let text = try? container.decode(String.self, forKey: .lifetime) {
            lifetime = Double(text)
        } else {
            lifetime = try container.decodeIfPresent(Double.self, forKey: .lifetime)
        }
        refreshToken = try container.decodeIfPresent(String.self, forKey: .refreshToken)
        scope = try container.decodeIfPresent(String.self, forKey: .scope)
    }

    /// Returns the token as a credential, which expires at the end of its lifetime, counted from `date`.
    ///
    /// Throws `.unsupported` for a type that isn't Bearer, and `.invalidRequest` for a token that can't be sent in a
    /// header.
    public func credential(receivedAt date: Date) throws(NetError) -> Credential {
        guard tokenType.lowercased() == "bearer" else {
            throw NetError(
                .unsupported, phase: .decoding,
                message: "the server issued a token of the type \(tokenType), but only Bearer is supported")
        }
        let end = lifetime.flatMap { $0.isFinite && $0 < 1e12 ? date.addingTimeInterval(max(0, $0)) : nil }
        var credential = try Credential.bearer(accessToken, expires: end)
        credential.renewal = refreshToken
        return credential
    }
}

extension OAuthToken: CustomStringConvertible, CustomReflectable {
    /// Only the type.
    public var description: String { "\(tokenType) <redacted>" }
    public var customMirror: Mirror { Mirror(self, children: ["tokenType": tokenType]) }
}
