internal import HTTPTypes
public import NetCore

/// A reader of the values of a received request, as the document declares them.
public struct ReceivedRequest: Sendable {
    /// The request as it arrived.
    public let request: ServerRequest
    private let captures: [String: String]
    private let items: [(name: String, value: String)]
    private var parts: [String: [ReceivedPart]]?

    init(_ request: ServerRequest, captures: [String: String]) {
        self.request = request
        self.captures = captures
        items = request.items
    }

    /// Returns a path parameter.
    @_spi(Generated) public func path<Value: Decodable>(
        _ name: String, style: ParameterStyle = .simple, explode: Bool = false
    ) throws(ReceivedFault) -> Value {
        try required(captures[name].map { .escaped($0, name: name, style: style, explode: explode) }, "path", name)
    }

    /// Returns a query parameter; throws if it's missing.
    @_spi(Generated) public func query<Value: Decodable>(
        _ name: String, style: ParameterStyle = .form, explode: Bool = true
    ) throws(ReceivedFault) -> Value {
        try required(queryInput(name, style, explode), "query", name)
    }

    /// Returns a query parameter; nil if it's missing.
    @_spi(Generated) public func optionalQuery<Value: Decodable>(
        _ name: String, style: ParameterStyle = .form, explode: Bool = true
    ) throws(ReceivedFault) -> Value? {
        try optional(queryInput(name, style, explode), "query", name)
    }

    private func queryInput(_ name: String, _ style: ParameterStyle, _ explode: Bool) -> ReceivedText? {
        if style == .deepObject {
            let inner = items.filter { $0.name.hasPrefix(name + "[") }
            return inner.isEmpty ? nil : .nested(inner.map { ($0.name, decoded($0.value)) }).member(name)
        }
        let own = items.filter { $0.name == name }.map(\.value)
        if explode, style == .form {
            var input = ReceivedText(own.map(decoded))
            // An exploded object has the names of its members in place of its own.
            input.members = items.map { ($0.name, ReceivedText([decoded($0.value)])) }
            return own.isEmpty && items.isEmpty ? nil : own.isEmpty ? input.onlyMembers : input
        }
        return own.first.map { .escaped($0, name: name, style: style, explode: false) }
    }

    private func decoded(_ text: String) -> String { PercentEncoding.decode(text, plusIsSpace: true) }

    /// Returns a query parameter with JSON content; throws if it's missing.
    @_spi(Generated) public func jsonQuery<Value: Decodable>(_ name: String) throws(ReceivedFault) -> Value {
        guard let value: Value = try optionalJSONQuery(name) else {
            throw ReceivedFault("query", name, isMissing: true)
        }
        return value
    }

    /// Returns a query parameter with JSON content; nil if it's missing.
    @_spi(Generated) public func optionalJSONQuery<Value: Decodable>(_ name: String) throws(ReceivedFault) -> Value? {
        let text = name.isEmpty ? request.target.split(separator: "?").last.map(String.init) : nil
        guard let text = text ?? items.first(where: { $0.name == name })?.value else { return nil }
        do { return try JSONCoding.standard.decode(Value.self, from: Bytes(decoded(text).utf8)) } catch {
            throw ReceivedFault("query", name)
        }
    }

    /// Returns a header; throws if it's missing.
    @_spi(Generated) public func header<Value: Decodable>(
        _ name: String, explode: Bool = false
    ) throws(ReceivedFault) -> Value {
        try required(headerInput(name, explode), "header", name)
    }

    /// Returns a header; nil if it's missing.
    @_spi(Generated) public func optionalHeader<Value: Decodable>(
        _ name: String, explode: Bool = false
    ) throws(ReceivedFault) -> Value? {
        try optional(headerInput(name, explode), "header", name)
    }

    private func headerInput(_ name: String, _ explode: Bool) -> ReceivedText? {
        HTTPField.Name(name).flatMap { request.headers[$0] }.map { .plain($0, explode: explode) }
    }

    /// Returns a cookie; throws if it's missing.
    @_spi(Generated) public func cookie<Value: Decodable>(
        _ name: String, explode: Bool = true
    ) throws(ReceivedFault) -> Value {
        try required(cookieInput(name, explode), "cookie", name)
    }

    /// Returns a cookie; nil if it's missing.
    @_spi(Generated) public func optionalCookie<Value: Decodable>(
        _ name: String, explode: Bool = true
    ) throws(ReceivedFault) -> Value? {
        try optional(cookieInput(name, explode), "cookie", name)
    }

    private func cookieInput(_ name: String, _ explode: Bool) -> ReceivedText? {
        let pairs = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
        let values = pairs.compactMap { pair -> String? in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && parts[0] == name ? String(parts[1]) : nil
        }
        if values.count > 1 { return ReceivedText(values.map { PercentEncoding.decode($0) }) }
        return values.first.map { .escaped($0, name: name, style: .form, explode: false) }
    }

    private func required<Value: Decodable>(
        _ input: ReceivedText?, _ place: String, _ name: String
    ) throws(ReceivedFault) -> Value {
        guard let value: Value = try optional(input, place, name) else {
            throw ReceivedFault(place, name, isMissing: true)
        }
        return value
    }

    private func optional<Value: Decodable>(
        _ input: ReceivedText?, _ place: String, _ name: String
    ) throws(ReceivedFault) -> Value? {
        guard let input else { return nil }
        do { return try input.decodedIfPresent(as: Value.self) } catch { throw ReceivedFault(place, name) }
    }
}

extension ReceivedRequest {
    /// True if there is a body.
    @_spi(Generated) public var hasBody: Bool { !request.body.isEmpty }

    /// Returns the body, read as JSON.
    @_spi(Generated) public func json<Value: Decodable>() throws(ReceivedFault) -> Value {
        do { return try JSONCoding.standard.decode(Value.self, from: request.body) } catch {
            throw ReceivedFault("body", "")
        }
    }

    /// Returns the body, read as a form (`application/x-www-form-urlencoded`).
    @_spi(Generated) public func form<Value: Decodable>() throws(ReceivedFault) -> Value {
        let text = String(decoding: request.body, as: UTF8.self)
        let pairs = ServerRequest(method: "", target: "?" + text).items.map { ($0.name, decoded($0.value)) }
        do { return try ReceivedText.nested(pairs).decoded(as: Value.self) } catch { throw ReceivedFault("body", "") }
    }

    /// Returns the body as text, in the charset that its media type names.
    @_spi(Generated) public func text() throws(ReceivedFault) -> String {
        guard let text = Charset.ofContentType(request.headers[.contentType]).decode(request.body) else {
            throw ReceivedFault("body", "")
        }
        return text
    }

    /// Returns the body as it arrived.
    @_spi(Generated) public var bytes: RequestBody { .bytes(request.body, contentType: request.headers[.contentType]) }

    /// Returns the parts of a multipart form with a name.
    mutating func parts(_ name: String) throws(ReceivedFault) -> [ReceivedPart] {
        if let parts { return parts[name] ?? [] }
        let read = try ReceivedPart.read(request)
        parts = Dictionary(grouping: read, by: \.name)
        return parts?[name] ?? []
    }
}

/// An error in a received request: a value that is missing or can't be read. The value itself isn't shown.
public struct ReceivedFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence about the error.
    public let description: String

    init(_ place: String, _ name: String, isMissing: Bool = false) {
        let subject = name.isEmpty ? "the \(place)" : "the \(place) parameter '\(name)'"
        description = "\(subject) \(isMissing ? "is missing" : "is not of its type")"
    }
}

extension ReceivedRequest: CustomReflectable {
    /// Only the method and the size.
    public var customMirror: Mirror { Mirror(self, children: ["request": request], displayStyle: .struct) }
}
