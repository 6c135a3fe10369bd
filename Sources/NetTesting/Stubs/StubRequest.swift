public import HTTPTypes
public import NetCore

/// A request as a stub receives it, from a mock or a server.
public struct StubRequest: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The target exactly as it was sent, without decoding percent-escapes: `/users/7?full=1`.
    public var target: String
    /// The host and port that the request was addressed to; empty if it named none.
    public var authority: String
    /// The header fields, in the order received.
    public var headers: HTTPFields
    /// The whole body; empty for a stub that reads it as a stream.
    public var body: Bytes
    /// The decoded values of the path template's parameters.
    public var parameters: [String: String]
    /// The policy for its printed form: that of the request, which knows where a credential was placed.
    package var redaction = RedactionPolicy.safeDefault

    /// Creates a request.
    public init(
        method: HTTPRequest.Method, target: String, authority: String = "", headers: HTTPFields = [:],
        body: Bytes = Bytes(), parameters: [String: String] = [:]
    ) {
        self.method = method
        self.target = target
        self.authority = authority
        self.headers = headers
        self.body = body
        self.parameters = parameters
    }

    /// The path, percent-encoded, without the query; `*` and absolute targets are supported (RFC 9112 section 3.2).
    public var path: String {
        let text = target.prefix { $0 != "?" && $0 != "#" }
        guard !text.hasPrefix("/") else { return String(text) }
        let reference = URLReference(String(text))
        guard reference.authority != nil else { return String(text) }
        return reference.path.isEmpty ? "/" : reference.path
    }

    /// The query, percent-encoded, without `?`; nil if there is none.
    public var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The query's items, in order and decoded; `+` is a space.
    public var queryItems: [(name: String, value: String?)] { Self.items(of: query ?? "") }

    /// The items of a query or form, decoded; `+` is a space.
    static func items(of text: String) -> [(name: String, value: String?)] {
        text.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentEncoding.decode(parts.first ?? "", plusIsSpace: true)
            return (name, parts.count > 1 ? PercentEncoding.decode(parts[1], plusIsSpace: true) : nil)
        }
    }

    /// The first value of a query item; an item without `=` has the value "".
    public func queryValue(_ name: String) -> String? {
        queryItems.first { $0.name == name }.map { $0.value ?? "" }
    }

    /// Decodes the body as JSON.
    public func decode<Value: Decodable>(_ type: Value.Type, coding: JSONCoding = .standard) throws -> Value {
        try coding.decode(type, from: body)
    }
}
