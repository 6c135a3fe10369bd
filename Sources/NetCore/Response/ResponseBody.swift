public import HTTPTypes

/// Where the bytes of a streamed body come from. A transport implements it; a reader uses ``ResponseBody``.
///
/// The source is pulled: nothing more is read from the network than `next()` asks for, beyond a bounded buffer. When the
/// last reference goes away unread, the source ends the transfer.
public protocol BodySource: AnyObject, Sendable {
    /// The next bytes, never empty; nil at the end. Throws `.cancelled` when the task is cancelled.
    func next() async throws(NetError) -> Bytes?
    /// Ends the transfer; calling it again, or after the end, does nothing.
    func cancel()
    /// The figures of the transfer, once it has ended.
    var metrics: TransferMetrics? { get }
    /// The trailer fields, once the body has ended.
    var trailers: HTTPFields? { get }
}

extension BodySource {
    public var metrics: TransferMetrics? { nil }
    public var trailers: HTTPFields? { nil }
}

/// The body of a response, still arriving or complete: one type for both.
///
/// Iterate it once, chunk by chunk, or collect it. A reader that stops reading pauses the transfer; dropping the body
/// unread, or cancelling the task, ends it and frees the connection's handle.
///
///     for try await chunk in response.body {
///         print(chunk.count)
///     }
public struct ResponseBody: AsyncSequence, Sendable {
    public typealias Element = Bytes
    public typealias Failure = NetError

    enum Content {
        case whole(Bytes, TransferMetrics?, trailers: HTTPFields?)
        case source(any BodySource)
    }

    let content: Content

    /// A complete body.
    public init(_ bytes: Bytes = Bytes(), metrics: TransferMetrics? = nil, trailers: HTTPFields? = nil) {
        content = .whole(bytes, metrics, trailers: trailers)
    }

    /// A body that is pulled from a source.
    public init(source: any BodySource) {
        content = .source(source)
    }

    /// A body made of a sequence of chunks.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == Bytes {
        content = .source(SequenceBodySource(chunks, phase: .receiving))
    }

    /// The bytes, where the body is complete already.
    public var whole: Bytes? {
        if case .whole(let bytes, _, _) = content { bytes } else { nil }
    }

    /// The figures of the transfer; nil until it has ended.
    public var metrics: TransferMetrics? {
        switch content {
        case .whole(_, let metrics, _): metrics
        case .source(let source): source.metrics
        }
    }

    /// The trailer fields; nil until the body has ended, or where there were none.
    public var trailers: HTTPFields? {
        switch content {
        case .whole(_, _, let trailers): trailers
        case .source(let source): source.trailers
        }
    }

    /// Ends the transfer without reading the rest.
    public func cancel() {
        if case .source(let source) = content { source.cancel() }
    }

    /// Reads the body to its end.
    ///
    /// - Parameter limit: The most bytes to accept; one more ends the transfer and throws `.bodyTooLarge`.
    public func collect(upTo limit: Int) async throws(NetError) -> Bytes {
        switch content {
        case .whole(let bytes, _, _):
            if bytes.count > limit { throw Self.tooLarge(limit) }
            return bytes
        case .source(let source):
            var chunks: [Bytes] = []
            var count = 0
            while let chunk = try await source.next() {
                count += chunk.count
                guard count <= limit else {
                    source.cancel()
                    throw Self.tooLarge(limit)
                }
                chunks.append(chunk)
            }
            return chunks.isEmpty ? Bytes() : Bytes.join(chunks, count: count)
        }
    }

    package static func tooLarge(_ limit: Int) -> NetError {
        NetError(
            .bodyTooLarge, phase: .receiving,
            message: "the body is larger than \(limit) bytes; raise maximumResponseBytes or stream it")
    }

    public func makeAsyncIterator() -> AsyncIterator {
        switch content {
        case .whole(let bytes, _, _): AsyncIterator(bytes: bytes.isEmpty ? nil : bytes, source: nil)
        case .source(let source): AsyncIterator(bytes: nil, source: source)
        }
    }

    /// Hands out the chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var bytes: Bytes?
        let source: (any BodySource)?

        public mutating func next() async throws(NetError) -> Bytes? {
            if let source { return try await source.next() }
            return bytes.take()
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetError) -> Bytes? {
            if let source { return try await source.next() }
            return bytes.take()
        }
    }
}
