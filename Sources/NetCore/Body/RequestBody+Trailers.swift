public import HTTPTypes

extension RequestBody {
    /// Returns this body with trailer fields, for values that are known only at its end: a checksum, a count, a
    /// signature (RFC 9110 section 6.5).
    ///
    /// The body is sent in chunks, whatever its length, and created anew for each attempt if it can be.
    ///
    ///     let body = RequestBody.file("/var/log/app.log").trailers(["X-Count"]) { ["X-Count": "7"] }
    ///     try await client.send(Request<Void>("logs", method: .put, body: body))
    ///
    /// Preparing the request throws `.invalidRequest` if there is no body or no name, or for a field that must not be a
    /// trailer: framing, routing, authentication and the like (section 6.5.1). If `make` throws, the call ends with
    /// `.encoding`; if it returns a field that wasn't announced, with `.invalidRequest`. The server then receives an
    /// incomplete body.
    ///
    /// libcurl supports trailers only in HTTP/1.1, so the request uses that version. A transport that speaks only
    /// HTTP/2, and `URLSessionTransport`, throw `.unsupported`.
    ///
    /// - Parameters:
    ///   - names: The fields that may follow, announced in the `Trailer` header.
    ///   - make: Returns the fields: some of the names, or none. Called after the last chunk, each time the body is
    ///     read.
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
                    .invalidRequest, phase: .preparing,
                    message: "trailers can only follow a body, and the request has none")
            case .bytes(let bytes):
                (isReplayable, body) = (true, { WholeBodySource(bytes) })
            case .stream(let length, let isReplayableStream, let make):
                (isReplayable, body) = (isReplayableStream, { MeasuredBodySource.measuring(try make(), length) })
            }
            resolved.content = .stream(length: nil, isReplayable: isReplayable) {
                TrailedBodySource(try body(), announced)
            }
            resolved.headers[.trailer] = names.map(\.rawName).joined(separator: ", ")
            return resolved
        }
    }
}

extension PreparedRequest {
    /// True if trailer fields may follow the body: it's sent in chunks, and `Trailer` announces some.
    package var announcesTrailers: Bool {
        if case .stream(nil, _, _) = body { head.headerFields[.trailer] != nil } else { false }
    }
}
