internal import HTTPTypes

/// The trailer fields of a request: their names, and the closure that provides them.
struct RequestTrailers: Sendable {
    private let names: Set<HTTPField.Name>
    private let make: @Sendable () async throws -> HTTPFields

    /// Throws `.invalidRequest` if there are no names, or for a field that must be known before the body.
    init(_ names: [HTTPField.Name], _ make: @escaping @Sendable () async throws -> HTTPFields) throws(NetError) {
        if names.isEmpty {
            throw NetError(.invalidRequest, phase: .preparing, message: "list the names of the trailer fields")
        }
        if let name = names.first(where: { Self.isForbidden($0) }) {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message:
                    "the field \(name.rawName) must not be a trailer: it is needed before the body; send it in the head"
            )
        }
        self.names = Set(names)
        self.make = make
    }

    /// Returns the fields; called once the body has ended.
    func headers() async throws(NetError) -> HTTPFields {
        let headers: HTTPFields
        do {
            headers = try await make()
        } catch {
            if let error = NetError(error) { throw error }
            throw NetError(
                error is CancellationError ? .cancelled : .encoding, phase: .sending,
                message: "the trailers of the request body cannot be created: \(ErrorSummary.describe(error))",
                underlying: error)
        }
        if let field = headers.first(where: { !names.contains($0.name) }) {
            throw NetError(
                .invalidRequest, phase: .sending,
                message: "the trailer \(field.name.rawName) was not announced; list its name when you add the trailers"
            )
        }
        return headers
    }

    /// True for framing, routing, request modifiers, conditionals, authentication, and fields that determine how to
    /// process the content (RFC 9110 section 6.5.1).
    private static func isForbidden(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        return forbidden.contains(name) || name.hasPrefix("if-") || name.hasPrefix("proxy-")
    }

    private static let forbidden: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "authorization", "cache-control",
        "connection", "content-encoding", "content-language", "content-length", "content-location", "content-range",
        "content-type", "cookie", "expect", "forwarded", "from", "host", "http2-settings", "idempotency-key",
        "keep-alive",
        "max-forwards", "origin", "pragma", "range", "referer", "set-cookie", "te", "trailer", "transfer-encoding",
        "upgrade", "user-agent", "via", "www-authenticate",
    ]
}
