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
        case whole(Whole)
        case source(any BodySource)
    }

    /// One reference: a response is copied several times on its way.
    final class Whole: Sendable {
        let bytes: Bytes
        let metrics: TransferMetrics?
        let trailers: HTTPFields?

        init(bytes: Bytes, metrics: TransferMetrics?, trailers: HTTPFields?) {
            self.bytes = bytes
            self.metrics = metrics
            self.trailers = trailers
        }
    }

    let content: Content
    private var coders: Coders?

    /// One reference, because most bodies have none.
    private final class Coders: Sendable {
        let coding: JSONCoding
        init(_ coding: JSONCoding) { self.coding = coding }
    }

    /// What JSON in the body is read with where nobody says otherwise: the client's coders.
    package var coding: JSONCoding { coders?.coding ?? .standard }

    /// The same body, its JSON read with these coders.
    package func decoding(with coding: JSONCoding) -> ResponseBody {
        var body = self
        body.coders = Coders(coding)
        return body
    }

    /// The same body by way of another source, its JSON read with the same coders.
    func replacing(_ source: any BodySource) -> ResponseBody {
        var body = ResponseBody(source: source)
        body.coders = coders
        return body
    }

    /// A complete body.
    public init(_ bytes: Bytes = Bytes(), metrics: TransferMetrics? = nil, trailers: HTTPFields? = nil) {
        content = .whole(Whole(bytes: bytes, metrics: metrics, trailers: trailers))
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
        if case .whole(let whole) = content { whole.bytes } else { nil }
    }

    /// The figures of the transfer; nil until it has ended.
    public var metrics: TransferMetrics? {
        switch content {
        case .whole(let whole): whole.metrics
        case .source(let source): source.metrics
        }
    }

    /// The trailer fields; nil until the body has ended, or where there were none.
    public var trailers: HTTPFields? {
        switch content {
        case .whole(let whole): whole.trailers
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
        let limit = Swift.max(0, limit)
        switch content {
        case .whole(let whole):
            if whole.bytes.count > limit { throw fail(Self.tooLarge(limit)) }
            return whole.bytes
        case .source(let source):
            var chunks: [Bytes] = []
            var count = 0
            while let chunk = try await source.next() {
                count += chunk.count
                guard count <= limit else { throw fail(Self.tooLarge(limit)) }
                chunks.append(chunk)
            }
            return chunks.isEmpty ? Bytes() : Bytes.join(chunks, count: count)
        }
    }

    package static func tooLarge(_ limit: Int) -> NetError {
        NetError(
            .bodyTooLarge, phase: .receiving,
            message: "the body is larger than \(limit) bytes; raise the limit, maximumResponseBytes of a call that "
                + "collects it, or stream it")
    }

    public func makeAsyncIterator() -> AsyncIterator {
        switch content {
        case .whole(let whole): AsyncIterator(bytes: whole.bytes.isEmpty ? nil : whole.bytes, source: nil)
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
