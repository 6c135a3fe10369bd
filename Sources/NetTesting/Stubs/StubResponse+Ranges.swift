internal import HTTPTypes
internal import NetCore

extension StubResponse {
    /// Returns the response of a server that supports ranges to a request for this response (RFC 9110 sections 13 and
    /// 14):
    ///
    /// - 206 with `Content-Range` to a `Range` of one range of bytes,
    /// - 416 if that range begins past the end of the body,
    /// - 304 if `If-None-Match` names its `ETag`, or `If-Modified-Since` isn't before its `Last-Modified`,
    /// - the response itself, with `Accept-Ranges`, to everything else: to no range, several of them or one that is
    ///   malformed, and if `If-Range` names another `ETag` or `Last-Modified`. A weak `ETag` never matches there.
    ///
    /// Only a response with status 200 and a body of known length is changed, and only for `GET`; `HEAD` also gets the
    /// 304. Everything else, such as a fault or a pause, is kept.
    ///
    ///     let file = StubResponse.bytes(BytePattern.bytes(from: 0, count: 1_000)).header(.eTag, "\"1\"")
    ///     let stub = Stub(.get, "/file") { request in file.part(for: request) }
    public func part(for request: StubRequest) -> StubResponse {
        guard status == .ok, request.method == .get || request.method == .head, let length = body.rangedLength else {
            return self
        }
        var response = header(.acceptRanges, "bytes")
        if isUnchanged(for: request.headers) {
            response.status = .notModified
            response.headers[.contentLength] = nil
            response.headers[.contentType] = nil
            response.body = .empty
            return response
        }
        guard request.method == .get, let range = request.headers[.range].flatMap({ RequestedRange($0) }),
            request.headers[.ifRange].map({ meets(ifRange: $0) }) ?? true
        else { return response }
        response.headers[.contentLength] = nil
        guard let bytes = range.resolved(total: length) else {
            response.status = .rangeNotSatisfiable
            response.headers[.contentRange] = "bytes */\(length)"
            response.body = .empty
            return response
        }
        response.status = .partialContent
        response.headers[.contentRange] = ContentRange(bytes: bytes, total: length).value
        response.body = body.part(bytes)
        return response
    }

    /// RFC 9110 sections 13.1.2 and 13.1.3: a tag takes precedence over a date.
    private func isUnchanged(for request: HTTPFields) -> Bool {
        if let tags = request[.ifNoneMatch] {
            guard let tag = headers[.eTag] else { return false }
            return EntityTags.list(tags).contains { $0 == "*" || EntityTags.isSame($0, tag) }
        }
        guard let since = request[.ifModifiedSince].flatMap(HTTPDate.date(from:)),
            let modified = headers[.lastModified].flatMap(HTTPDate.date(from:))
        else { return false }
        return modified <= since
    }

    /// RFC 9110 section 13.1.5: a strong tag, or an identical date.
    private func meets(ifRange condition: String) -> Bool {
        condition.hasPrefix("\"") ? headers[.eTag] == condition : headers[.lastModified] == condition
    }
}

extension Stub {
    /// Returns a copy that supports ranges and conditional requests: each response is passed through
    /// ``StubResponse/part(for:)``.
    ///
    ///     let server = try await TestServer.start([
    ///         Stub(.get, "/film", StubResponse.file("film.mp4").header(.eTag, "\"1\"")).servingRanges()
    ///     ])
    public func servingRanges() -> Stub {
        changingAnswers { request, response in response.part(for: request) }
    }
}
