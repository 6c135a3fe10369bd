internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The response of an echo route: the request as it was received.
public struct EchoedRequest: Codable, Sendable, Hashable {
    /// One header field.
    public struct Field: Codable, Sendable, Hashable {
        /// The name, spelled as it was sent (lower case on HTTP/2).
        public var name: String
        /// The value.
        public var value: String
    }

    /// The method.
    public var method: String
    /// The target exactly as it was sent.
    public var target: String
    /// The requested host and port.
    public var authority: String
    /// The header fields, in the order received.
    public var headers: [Field]
    /// The body in base64.
    public var bodyBase64: String
    /// The size of the body.
    public var bodyBytes: Int
}

extension EchoedRequest: CustomStringConvertible, CustomReflectable {
    /// One line, with secrets hidden.
    public var description: String { request.description }

    /// The description, as shown by `dump` and by a failing `#expect`.
    public var customMirror: Mirror { request.customMirror }

    private var request: StubRequest {
        var headers = HTTPFields()
        for field in self.headers {
            if let name = HTTPField.Name(field.name) { headers.append(HTTPField(name: name, value: field.value)) }
        }
        return StubRequest(
            method: HTTPRequest.Method(method) ?? .get, target: target, authority: authority, headers: headers,
            body: Data(base64Encoded: bodyBase64).map { Bytes($0) } ?? Bytes())
    }
}

extension EchoedRequest.Field: CustomStringConvertible, CustomReflectable {
    /// Name and value; a secret value is hidden.
    public var description: String { "\(name): \(Shown.isSecret(name) ? Shown.hidden : value)" }

    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": Shown.isSecret(name) ? Shown.hidden : value])
    }
}
