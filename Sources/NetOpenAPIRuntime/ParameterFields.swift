public import HTTPTypes

/// Collects the header and cookie parameters of a request, and the first problem with them.
///
/// A value that a header can't hold (line break, NUL) isn't changed silently: ``checked(_:)`` makes preparing the
/// request throw `.invalidRequest`.
@_spi(Generated) public struct ParameterFields: Sendable {
    /// The headers to send.
    @_spi(Generated) public private(set) var headers: HTTPFields = [:]
    private var cookies: QueryItems = []
    private var problem: String?

    /// Creates a collection that contains only `Accept`, or nothing if it's nil.
    @_spi(Generated) public init(accept: String? = nil) {
        if let accept { headers[.accept] = accept }
    }

    /// Appends a header parameter in the style `simple`; nil appends nothing.
    @_spi(Generated) public mutating func append(_ name: String, _ value: (some Encodable)?, explode: Bool = false) {
        guard let value else { return }
        guard let value = try? ParameterValue(value) else { return reject(name, "cannot be encoded") }
        add(name, ParameterStyle.simple.expanded(value, name: name, explode: explode) { $0 })
    }

    /// Appends a header parameter with JSON content; nil appends nothing.
    @_spi(Generated) public mutating func appendJSON(_ name: String, _ value: (some Encodable)?) {
        guard let value else { return }
        guard let bytes = try? JSONCoding.standard.encode(value) else { return reject(name, "cannot be encoded") }
        add(name, String(decoding: bytes, as: UTF8.self))
    }

    private mutating func add(_ name: String, _ text: String) {
        guard let field = HTTPField.Name(name) else { return reject(name, "has a name that isn't a valid header name") }
        guard HTTPField.isValidValue(text) else {
            return reject(name, "has a character that isn't allowed in headers")
        }
        headers.append(HTTPField(name: field, value: text))
    }

    /// Appends a cookie parameter in the style `form`, percent-encoded; nil appends nothing.
    @_spi(Generated) public mutating func appendCookie(_ name: String, _ value: (some Encodable)?, explode: Bool = true)
    {
        guard let value else { return }
        guard let value = try? ParameterValue(value) else { return reject(name, "cannot be encoded") }
        cookies += ParameterStyle.form.items(value, name: name, explode: explode, allowsReserved: false)
        // Set as one header: the subscript would create a header for each pair, which HTTP/1.1 doesn't allow (RFC 6265
        // section 5.4).
        headers[.cookie] = nil
        let text = cookies.map { QueryItems([$0]).encodedQuery }.joined(separator: "; ")
        if !text.isEmpty { headers.append(HTTPField(name: .cookie, value: text)) }
    }

    private mutating func reject(_ name: String, _ reason: String) {
        problem = problem ?? "the value of the parameter \"\(name)\" \(reason)"
    }

    /// Returns the body, or one that throws `.invalidRequest` if a parameter can't be sent.
    @_spi(Generated) public func checked(_ body: RequestBody) -> RequestBody {
        guard let problem else { return body }
        return RequestBody { _ in throw NetError(.invalidRequest, phase: .preparing, message: problem) }
    }
}

extension ParameterFields: CustomReflectable {
    /// The headers without secrets.
    @_spi(Generated) public var customMirror: Mirror {
        Mirror(self, children: ["headers": Printed.headers(headers)], displayStyle: .struct)
    }
}
