public import NetCore

/// A request whose responses have links to other requests.
public protocol LinkedRequest: APIRequest {
    /// The links, each as a function that returns a request.
    associatedtype Links: Sendable

    /// Returns the links of a response to this request.
    func links(in response: FullResponse) -> Links
}

extension LinkedRequest {
    /// A response with its head, as `Response` is the type of the value here.
    public typealias FullResponse = NetCore.Response<Response>
}

extension Response {
    /// Returns the links that the document declares for this response, each as a function that returns a request.
    ///
    /// ```swift no-check
    /// let response = try await api.users.createUser.response(request)
    /// let user = try await api.users.getUser(response.links(of: request).getUser())
    /// ```
    public func links<R: LinkedRequest>(of request: R) -> R.Links where R.Response == Value {
        request.links(in: self)
    }
}

/// The values that links take from a request and its response: the runtime expressions of OpenAPI.
@_spi(Generated) public struct LinkSource: Sendable {
    private let head: ResponseHead
    private let url: String?
    private let method: String
    private let request: [String: any Encodable & Sendable]
    private let response: (any Encodable & Sendable)?

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - request: The values that the links use of the request, by their expressions without `$request.`.
    ///   - body: The body of the response; nil if it has none.
    @_spi(Generated) public init<Value>(
        _ response: Response<Value>, method: String, request: [String: any Encodable & Sendable] = [:],
        body: (any Encodable & Sendable)? = nil
    ) {
        head = response.head
        url = response.url
        self.method = method
        self.request = request
        self.response = body
    }

    /// Returns the value of an expression, such as `$response.body#/id`, or of a text that contains some in braces.
    /// Throws `.invalidRequest` if there is no such value, or if it isn't of the type.
    @_spi(Generated) public func value<Value: Decodable>(_ expression: String) throws(NetError) -> Value {
        let found = expression.hasPrefix("$") ? try json(expression) : .string(try expanded(expression))
        return try Self.value(found, expression)
    }

    /// Returns the value of a constant. Throws `.invalidRequest` if it isn't of the type.
    @_spi(Generated) public func constant<Value: Decodable>(_ json: String) throws(NetError) -> Value {
        guard let value = try? JSONCoding.standard.decode(JSONValue.self, from: Bytes(json.utf8)) else {
            throw Self.error("'\(json)' isn't JSON")
        }
        return try Self.value(value, json)
    }

    private static func value<Value: Decodable>(_ json: JSONValue, _ expression: String) throws(NetError) -> Value {
        if let value = try? json.decoded(as: Value.self) { return value }
        // The value may be a number where the request needs a text, or the other way round.
        if let text = text(json), let value = try? FieldDecoder.decode(Value.self, text) { return value }
        throw error("'\(expression)' is not of the type that the linked request needs")
    }

    private func expanded(_ template: String) throws(NetError) -> String {
        var result = ""
        var rest = template[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let expression = String(rest[rest.index(after: start)..<end])
            guard let text = Self.text(try json(expression)) else {
                throw Self.error("'\(expression)' isn't text that can be part of another")
            }
            result += rest[..<start] + text
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private func json(_ expression: String) throws(NetError) -> JSONValue {
        let parts = expression.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let pointer = parts.count == 2 ? parts[1] : ""
        let found: JSONValue? =
            switch parts[0] {
            case "$url": url.map { .string($0) }
            case "$method": .string(method)
            case "$statusCode": .integer(Int64(head.status.code))
            case "$response.body": Self.json(response).flatMap { Self.find(pointer, in: $0) }
            default:
                if parts[0].hasPrefix("$response.header.") {
                    (head.value(String(parts[0].dropFirst("$response.header.".count))) as String?).map { .string($0) }
                } else {
                    Self.json(request[String(parts[0].dropFirst("$request.".count))])
                        .flatMap { Self.find(pointer, in: $0) }
                }
            }
        guard let found, !found.isNull else { throw Self.error("there is no value for '\(expression)'") }
        return found
    }

    private static func json(_ value: (any Encodable & Sendable)?) -> JSONValue? {
        guard let value, let bytes = try? JSONCoding.standard.encode(value) else { return nil }
        return try? JSONCoding.standard.decode(JSONValue.self, from: bytes)
    }

    /// Follows a JSON pointer (RFC 6901).
    private static func find(_ pointer: String, in value: JSONValue) -> JSONValue? {
        var found = value
        for part in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let key = part.split(separator: "~1", omittingEmptySubsequences: false).joined(separator: "/")
                .split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
            guard let next = found[key] ?? Int(key).flatMap({ found[$0] }) else { return nil }
            found = next
        }
        return found
    }

    /// The text of a scalar; nil for a list or an object.
    private static func text(_ value: JSONValue) -> String? {
        guard value.arrayValue == nil, value.objectValue == nil else { return nil }
        return (try? ParameterValue(value))?.text
    }

    private static func error(_ message: String) -> NetError {
        NetError(.invalidRequest, phase: .preparing, message: "the link can't be followed: \(message)")
    }
}

extension LinkSource: CustomReflectable {
    /// Only the method, because the values may be secrets.
    @_spi(Generated) public var customMirror: Mirror {
        Mirror(self, children: ["method": method], displayStyle: .struct)
    }
}
