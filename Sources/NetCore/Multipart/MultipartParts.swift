public import HTTPTypes

/// The parts of a multipart response, as they arrive: `multipart/mixed`, `byteranges`, `form-data` or another kind.
///
/// Iterate it once. Each part's body is read before the next part is asked for; what was not read of it is skipped. The
/// server is paused while you do not read; when the task is cancelled, or the last copy of the sequence and the last body
/// are dropped, the transfer ends. Throws ``NetError``: the transfer's own, `.decoding` for a body that is malformed or cut
/// off, `.bodyTooLarge` past a limit.
///
///     let parts = try MultipartParts(body, boundary: "b")
///     for try await part in parts {
///         print(part.name ?? "-", try await part.body.collect(upTo: 1 << 20).count)
///     }
public struct MultipartParts: AsyncSequence, Sendable {
    public typealias Failure = NetError

    /// One part.
    public struct Part: Sendable {
        /// Its fields, `Content-Range` among them.
        public let headers: HTTPFields
        /// The name in `Content-Disposition`; nil where there is none.
        public var name: String? { headers.disposition?.name }
        /// The file name in `Content-Disposition`; nil where there is none. It may be a path: never open it as it is.
        public var filename: String? { headers.disposition?.filename }
        /// The media type, read as browsers do; nil where there is none, which means `text/plain`.
        public var mediaType: MediaType? { headers[.contentType].flatMap(MediaType.received) }
        /// Its body, still arriving.
        public let body: ResponseBody
    }

    private let reader: MultipartReader

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - boundary: The parameter `boundary` of the content type. Throws `.decoding` where it can be none.
    ///   - requiresNames: Whether a part without a name is malformed, as in `form-data`. Default false.
    ///   - maximumHeaderBytes: The most bytes of one part's head. Default 16 KiB.
    ///   - maximumParts: The most parts. Default 10,000.
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

    /// Hands out the parts.
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
    /// The parts of a multipart response, handed out while they arrive.
    ///
    /// A response whose `Content-Type` is no multipart with a boundary throws `.decoding`; in `multipart/form-data` every
    /// part must have a name.
    ///
    ///     let request = Request("batch", method: .post, serializer: .multipart)
    ///     for try await part in try await client.send(request) { print(part.headers) }
    public static var multipart: ResponseSerializer {
        .streamed(accept: "multipart/*") { head, body, _ in
            guard let type = head.receivedType, type.type == "multipart",
                let boundary = type["boundary"]
            else { throw MultipartHead.malformed("its content type is no multipart with a boundary") }
            return try MultipartParts(body, boundary: boundary, requiresNames: type.subtype == "form-data")
        }
    }
}
