internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The value of an `Authorization` field (RFC 9110 section 11.6.2). Printing it shows the scheme alone.
///
///     var headers = HTTPFields()
///     headers.authorization = try .bearer("a1b2")
///     print(headers[.authorization] ?? "")  // Bearer a1b2
public struct Authorization: Sendable, Hashable {
    /// The scheme: `Basic`, `Bearer`.
    public let scheme: String
    /// What follows it; a secret.
    public let credentials: String

    /// Any scheme. Throws `.invalidRequest` for a scheme that is no token, and for credentials that no field can hold.
    public init(scheme: String, credentials: String) throws(NetError) {
        guard FieldValueReader.isToken(scheme), credentials.isEmpty || HTTPField.isValidValue(credentials) else {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message:
                    "the scheme of an Authorization is no token, or its credentials hold a control character or blanks "
                    + "around them")
        }
        self.scheme = scheme
        self.credentials = credentials
    }

    /// User and password in base64 of UTF-8 (RFC 7617). Throws `.invalidRequest` where the user has a colon, which nothing
    /// could tell from the one that ends it, or either has a control character.
    public static func basic(user: String, password: String) throws(NetError) -> Authorization {
        let text = "\(user):\(password)"
        guard !user.utf8.contains(UInt8(ascii: ":")), text.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message: "basic authentication cannot send a user with a colon, nor control characters")
        }
        return try Authorization(scheme: "Basic", credentials: Data(text.utf8).base64EncodedString())
    }

    /// A bearer token (RFC 6750). Throws `.invalidRequest` for an empty one, and for one that no field can hold.
    public static func bearer(_ token: String) throws(NetError) -> Authorization {
        guard !token.isEmpty else {
            throw NetError(.invalidRequest, phase: .preparing, message: "the bearer token is empty")
        }
        return try Authorization(scheme: "Bearer", credentials: token)
    }

    /// Reads a field value; nil where it has no scheme.
    public init?(_ text: String) {
        var reader = FieldValueReader(text)
        guard let scheme = reader.token() else { return nil }
        let rest = text.drop { $0 == " " || $0 == "\t" }.dropFirst(scheme.count)
        guard rest.isEmpty || rest.first == " " else { return nil }
        self.scheme = scheme
        credentials = String(rest.drop { $0 == " " })
    }

    /// The field value, secrets and all.
    public var value: String { credentials.isEmpty ? scheme : "\(scheme) \(credentials)" }
}

extension Authorization: CustomStringConvertible, CustomReflectable {
    /// The scheme alone.
    public var description: String { "\(scheme) <redacted>" }
    public var customMirror: Mirror { Mirror(self, children: ["scheme": scheme]) }
}
