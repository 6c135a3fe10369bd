internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The value of the `Authorization` header (RFC 9110 section 11.6.2). Its description shows only the scheme.
///
///     var headers = HTTPFields()
///     headers.authorization = try .bearer("a1b2")
///     print(headers[.authorization] ?? "")  // Bearer a1b2
public struct Authorization: Sendable, Hashable {
    /// The scheme, such as `Basic` or `Bearer`.
    public let scheme: String
    /// The text after the scheme; a secret.
    public let credentials: String

    /// Creates a value with any scheme. Throws `.invalidRequest` if the scheme isn't a token, or if a header can't
    /// contain the credentials.
    public init(scheme: String, credentials: String) throws(NetError) {
        guard FieldValueReader.isToken(scheme), credentials.isEmpty || HTTPField.isValidValue(credentials) else {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message:
                    "the Authorization scheme isn't a valid token, or the credentials contain a control character or "
                    + "surrounding blanks")
        }
        self.scheme = scheme
        self.credentials = credentials
    }

    /// Creates basic authentication: user and password in base64 of UTF-8 (RFC 7617).
    ///
    /// Throws `.invalidRequest` if the user contains a colon, which would be taken for the separator, or if either
    /// contains a control character.
    public static func basic(user: String, password: String) throws(NetError) -> Authorization {
        let text = "\(user):\(password)"
        guard !user.utf8.contains(UInt8(ascii: ":")), text.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message: "basic authentication cannot send a user name with a colon, or control characters")
        }
        return try Authorization(scheme: "Basic", credentials: Data(text.utf8).base64EncodedString())
    }

    /// Creates a bearer token (RFC 6750). Throws `.invalidRequest` if it's empty or a header can't contain it.
    public static func bearer(_ token: String) throws(NetError) -> Authorization {
        guard !token.isEmpty else {
            throw NetError(.invalidRequest, phase: .preparing, message: "the bearer token is empty")
        }
        return try Authorization(scheme: "Bearer", credentials: token)
    }

    /// Parses a header value; nil if it has no scheme.
    public init?(_ text: String) {
        var reader = FieldValueReader(text)
        guard let scheme = reader.token() else { return nil }
        let rest = text.drop { $0 == " " || $0 == "\t" }.dropFirst(scheme.count)
        guard rest.isEmpty || rest.first == " " else { return nil }
        self.scheme = scheme
        credentials = String(rest.drop { $0 == " " })
    }

    /// The header value, including the secret.
    public var value: String { credentials.isEmpty ? scheme : "\(scheme) \(credentials)" }
}

extension Authorization: CustomStringConvertible, CustomReflectable {
    /// Only the scheme.
    public var description: String { "\(scheme) <redacted>" }
    public var customMirror: Mirror { Mirror(self, children: ["scheme": scheme]) }
}
