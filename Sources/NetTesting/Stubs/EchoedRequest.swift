internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What an echo route answers: the request as it was seen.
public struct EchoedRequest: Codable, Sendable, Hashable {
    /// One field.
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
    /// Host and port that were asked for.
    public var authority: String
    /// The fields in their order.
    public var headers: [Field]
    /// The body in base64.
    public var bodyBase64: String
    /// The size of the body.
    public var bodyBytes: Int
}

extension EchoedRequest: CustomStringConvertible, CustomReflectable {
    /// One line, secrets hidden.
    public var description: String { request.description }

    /// The description alone: what `dump` and a failing `#expect` show.
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
    /// Name and value; a secret is hidden.
    public var description: String { "\(name): \(Shown.isSecret(name) ? Shown.hidden : value)" }

    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": Shown.isSecret(name) ? Shown.hidden : value])
    }
}
