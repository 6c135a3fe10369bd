public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What proves who sends a request: one field and its value. Printing it shows the field alone.
///
///     let token = try Credential.bearer("a1b2", expires: Date(timeIntervalSinceNow: 3600))
///     print(token)  // authorization: <redacted>
public struct Credential: Sendable, Hashable {
    /// Checked once, sent many times.
    package let line: HTTPField
    /// The field that carries it.
    public var field: HTTPField.Name { line.name }
    /// Its value; a secret.
    public var value: String { line.value }
    /// When it ends; nil for never, or not known.
    public var expiration: Date?
    /// What a new one is asked for with: an OAuth refresh token; a secret. Default nil.
    public var renewal: String?

    /// Any field. Throws `.invalidRequest` for a value that no field can hold.
    public init(_ field: HTTPField.Name, _ value: String, expires expiration: Date? = nil) throws(NetError) {
        guard HTTPField.isValidValue(value), !value.isEmpty else {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message:
                    "the credential for \(field.rawName) is empty, or holds a control character or blanks around it")
        }
        line = HTTPField(name: field, value: value)
        self.expiration = expiration
    }

    /// A bearer token in `Authorization` (RFC 6750).
    public static func bearer(_ token: String, expires expiration: Date? = nil) throws(NetError) -> Credential {
        try Credential(.authorization, Authorization.bearer(token).value, expires: expiration)
    }

    /// User and password in `Authorization` (RFC 7617); see ``Authorization/basic(user:password:)``.
    public static func basic(user: String, password: String) throws(NetError) -> Credential {
        try Credential(.authorization, Authorization.basic(user: user, password: password).value)
    }

    /// A key in a field of its own. Throws `.invalidRequest` for a name that is no field's. Default `X-API-Key`.
    public static func apiKey(_ key: String, field name: String = "X-API-Key") throws(NetError) -> Credential {
        guard let field = HTTPField.Name(name) else {
            throw NetError(.invalidRequest, phase: .preparing, message: "\(name) is not the name of a field")
        }
        return try Credential(field, key)
    }

    /// Whether it ends within `margin` from `date`. One that never ends does not.
    public func expires(within margin: Duration = .zero, of date: Date) -> Bool {
        guard let expiration else { return false }
        return expiration.timeIntervalSince(date) <= margin.inSeconds
    }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    /// The field alone.
    public var description: String { "\(field.canonicalName): <redacted>" }
    public var customMirror: Mirror { Mirror(self, children: ["field": field.canonicalName]) }
}
