public import HTTPTypes

/// The parts of a multipart response, as they arrive: `multipart/mixed`, `byteranges`, `form-data` or another kind.
///
/// Iterate it once. Read each part's body before requesting the next part; the rest of an unread body is skipped.
/// While the consumer isn't reading, the transfer is paused; when the task is cancelled, or the last copy of the
/// sequence and the last body are dropped, it ends. Throws ``NetError``: errors of the transfer, `.decoding` for a
/// malformed or truncated body, and `.bodyTooLarge` above a limit.
///
///     let parts = try MultipartParts(body, boundary: "b")
///     for try await part in parts {
///         print(part.name ?? "-", try await part.body.collect(upTo: 1 << 20).count)
///     }
public struct MultipartParts: AsyncSequence, Sendable {
    public typealias Failure = NetError

    /// One part.
    public struct Part: Sendable {
        /// The headers, including `Content-Range`.
        public let headers: HTTPFields
        /// The name in `Content-Disposition`; nil if there is none.
        public var name: String? { headers.disposition?.name }
        /// The file name in `Content-Disposition`; nil if there is none. It may be a path, so don't open it unchecked.
        public var filename: String? { headers.disposition?.filename }
        /// The media type, parsed as browsers do; nil if there is none, which means `text/plain`.
        public var mediaType: MediaType? { headers[.contentType].flatMap(MediaType.received) }
        /// The body, still arriving.
        public let body: ResponseBody
    }

    private let reader: MultipartReader

    /// Creates a sequence of the parts in a body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - boundary: The parameter `boundary` of the content type. Throws `.decoding` if it isn't a valid boundary.
    ///   - requiresNames: True if a part without a name is malformed, as in `form-data`. Default false.
    ///   - maximumHeaderBytes: The maximum size of one part's head in bytes. Default 16 KiB.
    ///   - maximumParts: The maximum number of parts. Default 10,000.
    public init(
        _ body: ResponseBody, boundary: String, requiresNames: Bool = false, maximumHeaderBytes: Int = 16 << 10,
        maximumParts: Int = 10_000
    ) throws(NetError) {
        let parser = try MultipartParser(
            boundary: boundary, maximumHeaderBytes: maximumHeaderBytes, maximumParts: maximumParts,
            requiresNames: requiresNames)
        reader = MultipartReader(body, parser: parser)
    }

    /// Ends the transfer without reading the rest.
    public func cancel() { reader.cancel() }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

    /// An iterator over the parts.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reader: MultipartReader

        public mutating func next() async throws(NetError) -> Part? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetError) -> Part? {
            guard let (headers, number) = try await reader.nextPart() else { return nil }
            let body = ResponseBody(source: MultipartPartSource(reader: reader, number: number))
            return Part(headers: headers, body: body)
        }
    }
}

extension ResponseSerializer where Value == MultipartParts {
    /// The parts of a multipart response as they arrive.
    ///
    /// A response whose `Content-Type` isn't a multipart type with a boundary throws `.decoding`. In
    /// `multipart/form-data`, every part must have a name.
    ///
    ///     let request = Request("batch", method: .post, serializer: .multipart)
    ///     for try await part in try await client.send(request) { print(part.headers) }
    public static var multipart: ResponseSerializer {
        .streamed(accept: "multipart/*") { head, body, _ in
            guard let type = head.receivedType, type.type == "multipart",
                let boundary = type["boundary"]
            else { throw MultipartHead.malformed("its content type isn't a multipart type with a boundary") }
            return try MultipartParts(body, boundary: boundary, requiresNames: type.subtype == "form-data")
        }
    }
}
