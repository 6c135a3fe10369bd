public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The answer of an OAuth 2.0 token endpoint (RFC 6749 section 5.1). Printing it shows no token.
public struct OAuthToken: Sendable, Hashable, Decodable {
    /// The token; a secret.
    public var accessToken: String
    /// Its kind, in whatever case the server writes it: `Bearer`.
    public var tokenType: String
    /// Seconds until it ends; nil where the server does not say.
    public var lifetime: Double?
    /// What the next one is asked for with; a secret.
    public var refreshToken: String?
    /// What it allows, where that is not what was asked for.
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
        // A number by the standard; some servers write it as text.
        if let text = try? container.decode(String.self, forKey: .lifetime) {
            lifetime = Double(text)
        } else {
            lifetime = try container.decodeIfPresent(Double.self, forKey: .lifetime)
        }
        refreshToken = try container.decodeIfPresent(String.self, forKey: .refreshToken)
        scope = try container.decodeIfPresent(String.self, forKey: .scope)
    }

    /// The token as a credential, which ends its lifetime after `date`. Throws `.unsupported` for a kind that is not Bearer,
    /// and `.invalidRequest` for a token that no field can hold.
    public func credential(receivedAt date: Date) throws(NetError) -> Credential {
        guard tokenType.lowercased() == "bearer" else {
            throw NetError(
                .unsupported, phase: .decoding,
                message: "the server gave a token of the type \(tokenType), and only Bearer can be sent")
        }
        let end = lifetime.flatMap { $0.isFinite && $0 < 1e12 ? date.addingTimeInterval(max(0, $0)) : nil }
        var credential = try Credential.bearer(accessToken, expires: end)
        credential.renewal = refreshToken
        return credential
    }
}

extension OAuthToken: CustomStringConvertible, CustomReflectable {
    /// The kind alone.
    public var description: String { "\(tokenType) <redacted>" }
    public var customMirror: Mirror { Mirror(self, children: ["tokenType": tokenType]) }
}
