internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Stub {
    /// Responds to every method with an ``EchoedRequest`` as JSON. Optional: ``StubObserving/verify()`` doesn't require
    /// it.
    public static func echo(
        _ path: PathTemplate = "/echo", fileID: StaticString = #fileID, line: UInt = #line
    ) -> Stub {
        Stub(nil, path, fileID: fileID, line: line) { request in
            .json(
                EchoedRequest(
                    method: request.method.rawValue, target: request.target, authority: request.authority,
                    headers: request.headers.map { EchoedRequest.Field(name: $0.name.rawName, value: $0.value) },
                    bodyBase64: request.body.data.base64EncodedString(), bodyBytes: request.body.count))
        }
        .optional()
    }

    /// Responds with the request's own body and content type, while the body is still arriving. Optional.
    public static func mirror(
        _ path: PathTemplate = "/mirror", fileID: StaticString = #fileID, line: UInt = #line
    ) -> Stub {
        .streaming(nil, path, fileID: fileID, line: line) { request, body in
            var headers = HTTPFields()
            headers[.contentType] = request.headers[.contentType]
            return StubResponse(headers: headers, body: .stream { body })
        }
        .optional()
    }

    /// Responds to `GET` with `?bytes=N` bytes of ``BytePattern``, with at most one chunk in memory, and supports
    /// single ranges (``StubResponse/part(for:)``). Optional.
    ///
    /// - Parameters:
    ///   - path: The path. Default `/bytes`.
    ///   - bytes: The number of bytes if the query doesn't specify it. Default 1 MiB.
    ///   - chunk: The size of a chunk in bytes. Default 64 KiB.
    ///   - isChunked: True to send no `Content-Length` and support no ranges. Default false.
    ///   - fileID: The file in ``Stub/source``. Default the caller's.
    ///   - line: The line in ``Stub/source``. Default the caller's.
    public static func pattern(
        _ path: PathTemplate = "/bytes", bytes: Int64 = 1 << 20, chunk: Int = 64 << 10, isChunked: Bool = false,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Stub {
        Stub(.get, path, fileID: fileID, line: line) { request in
            let count = max(0, request.queryValue("bytes").flatMap { Int64($0) } ?? bytes)
            let make: @Sendable (Range<Int64>) -> PatternIterator = {
                PatternIterator(position: $0.lowerBound, end: $0.upperBound, chunk: max(1, chunk))
            }
            return StubResponse(
                headers: [.contentType: "application/octet-stream"],
                body: isChunked ? .generated { make(0..<count) } : .ranged(length: count, make)
            )
            .part(for: request)
        }
        .optional()
    }

    /// Responds to `GET` with `count` lines, `interval` apart. Optional.
    public static func drip(
        _ path: PathTemplate = "/drip", count: Int = 10, every interval: Duration,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Stub {
        Stub(
            .get, path,
            StubResponse(
                headers: [.contentType: "text/plain"],
                body: .chunks((0..<count).map { StubChunk("line \($0)\n", after: interval) })),
            fileID: fileID, line: line
        ).optional()
    }

    /// Responds to `GET` with server-sent events (WHATWG HTML section 9.2), each after its own delay, then ends.
    public static func serverSentEvents(
        _ path: PathTemplate = "/events", _ events: [StubEvent],
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Stub {
        Stub(
            .get, path,
            StubResponse(
                headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
                body: .chunks(events.map { StubChunk($0.encoded, after: $0.delay) })),
            fileID: fileID, line: line)
    }
}
