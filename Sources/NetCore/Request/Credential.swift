public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A credential of a request: one header and its value. Its description shows only the header's name.
///
///     let token = try Credential.bearer("a1b2", expires: Date(timeIntervalSinceNow: 3600))
///     print(token)  // authorization: <redacted>
public struct Credential: Sendable, Hashable {
    /// The header, which is validated once and sent many times.
    package let line: HTTPField
    /// The header that carries the credential.
    public var header: HTTPField.Name { line.name }
    /// The value of the header; a secret.
    public var value: String { line.value }
    /// The date when the credential expires; nil if it never expires, or if the date is unknown.
    public var expiration: Date?
    /// The secret for renewing the credential, such as an OAuth refresh token. Default nil.
    public var renewal: String?

    /// Creates a credential in any header. Throws `.invalidRequest` if the value is empty or a header can't contain it.
    public init(_ header: HTTPField.Name, _ value: String, expires expiration: Date? = nil) throws(NetError) {
        guard HTTPField.isValidValue(value), !value.isEmpty else {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message:
                    "the credential for \(header.rawName) is empty, or contains a control character or surrounding "
                    + "blanks"
            )
        }
        line = HTTPField(name: header, value: value)
        self.expiration = expiration
    }

    /// Creates a bearer token in the `Authorization` header (RFC 6750).
    public static func bearer(_ token: String, expires expiration: Date? = nil) throws(NetError) -> Credential {
        try Credential(.authorization, Authorization.bearer(token).value, expires: expiration)
    }

    /// Creates basic authentication in the `Authorization` header (RFC 7617); see
    /// ``Authorization/basic(user:password:)``.
    public static func basic(user: String, password: String) throws(NetError) -> Credential {
        try Credential(.authorization, Authorization.basic(user: user, password: password).value)
    }

    /// Creates an API key in the header `name`, by default `X-API-Key`. Throws `.invalidRequest` if the name or the key
    /// is invalid.
    public static func apiKey(_ key: String, header name: String = "X-API-Key") throws(NetError) -> Credential {
        guard let field = HTTPField.Name(name) else {
            throw NetError(.invalidRequest, phase: .preparing, message: "\(name) isn't a valid header name")
        }
        return try Credential(field, key)
    }

    /// Returns true if the credential expires within `margin` of `date`; false if it never expires.
    public func expires(within margin: Duration = .zero, of date: Date) -> Bool {
        guard let expiration else { return false }
        return expiration.timeIntervalSince(date) <= margin.inSeconds
    }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    /// The name of the header, without the value.
    public var description: String { "\(header.canonicalName): <redacted>" }
    public var customMirror: Mirror { Mirror(self, children: ["header": header.canonicalName]) }
}
