public import HTTPTypes

extension RequestBody {
    /// This body with fields after its end, for what is known only then: a checksum, a count, a signature (RFC 9110 section
    /// 6.5). It goes out in chunks, however long it is, and is made anew for each attempt where it can be.
    ///
    ///     if let count = HTTPField.Name("X-Count") {
    ///         let body = RequestBody.file("/var/log/app.log").trailers([count]) { [count: "7"] }
    ///         let request = Request("logs", method: .put, body: body, serializer: .discard)
    ///         print(request.method)
    ///     }
    ///
    /// Preparing the request throws `.invalidRequest` where there is no body, or no name, or for a field that must not come
    /// last: framing, routing, authentication and the like (section 6.5.1). What `make` throws ends the call with `.encoding`,
    /// a field that was not announced with `.invalidRequest`; the server then gets a body that breaks off.
    ///
    /// libcurl has trailers in HTTP/1.1 alone, so the request takes that; where a transport speaks nothing but HTTP/2, and in
    /// `URLSessionTransport`, it is `.unsupported`.
    ///
    /// - Parameters:
    ///   - names: The fields that may come; the field `Trailer` announces them.
    ///   - make: The fields, some of the names or none. Asked after the last chunk, each time the body is read.
    public func trailers(
        _ names: [HTTPField.Name], _ make: @escaping @Sendable () async throws -> HTTPFields
    ) -> RequestBody {
        RequestBody { coding in
            var resolved = try self.resolved(with: coding)
            let announced = try RequestTrailers(names, make)
            let isReplayable: Bool
            let body: @Sendable () throws -> any BodySource
            switch resolved.content {
            case .none:
                throw NetError(
                    .invalidRequest, phase: .preparing, message: "trailers follow a body, and the request has none")
            case .bytes(let bytes):
                (isReplayable, body) = (true, { WholeBodySource(bytes) })
            case .stream(let length, let isReplayableStream, let make):
                (isReplayable, body) = (isReplayableStream, { MeasuredBodySource.measuring(try make(), length) })
            }
            resolved.content = .stream(length: nil, isReplayable: isReplayable) {
                TrailedBodySource(try body(), announced)
            }
            resolved.fields[.trailer] = names.map(\.rawName).joined(separator: ", ")
            return resolved
        }
    }
}

extension PreparedRequest {
    /// Whether fields may follow the body: it goes out in chunks, and `Trailer` announces some.
    package var announcesTrailers: Bool {
        if case .stream(nil, _, _) = body { head.headerFields[.trailer] != nil } else { false }
    }
}
