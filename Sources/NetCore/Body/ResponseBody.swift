public import HTTPTypes

/// The source of a streamed body's bytes. Transports implement it; to read a body, use ``ResponseBody``.
///
/// A source is pulled: beyond a bounded buffer, no more is read from the network than `next()` asks for. Releasing the
/// last reference before the end cancels the transfer.
public protocol BodySource: AnyObject, Sendable {
    /// Returns the next bytes, never empty; nil at the end. Throws `.cancelled` when the task is cancelled.
    func next() async throws(NetError) -> Bytes?
    /// Ends the transfer. Calling it again, or after the end, has no effect.
    func cancel()
    /// The metrics of the transfer; nil until it has ended. Default nil.
    var metrics: TransferMetrics? { get }
    /// The trailer fields; nil until the body has ended. Default nil.
    var trailers: HTTPFields? { get }
}

extension BodySource {
    public var metrics: TransferMetrics? { nil }
    public var trailers: HTTPFields? { nil }
}

/// The body of a response, complete or still arriving.
///
/// Iterate it once, chunk by chunk, or collect it. While the consumer isn't reading, the transfer is paused. Dropping
/// the body unread, or cancelling the task, ends the transfer and frees the connection's handle.
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

    /// A class, since a response is copied several times on its way.
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

    /// A class, so that a body stores a single reference; most bodies have no coders.
    private final class Coders: Sendable {
        let coding: JSONCoding
        init(_ coding: JSONCoding) { self.coding = coding }
    }

    /// The JSON coders for the body unless others are given: the client's, or ``JSONCoding/standard``.
    package var coding: JSONCoding { coders?.coding ?? .standard }

    /// Returns the same body with other JSON coders.
    package func decoding(with coding: JSONCoding) -> ResponseBody {
        var body = self
        body.coders = Coders(coding)
        return body
    }

    /// Returns a body from another source with the same JSON coders.
    func replacing(_ source: any BodySource) -> ResponseBody {
        var body = ResponseBody(source: source)
        body.coders = coders
        return body
    }

    /// Creates a complete body.
    public init(_ bytes: Bytes = Bytes(), metrics: TransferMetrics? = nil, trailers: HTTPFields? = nil) {
        content = .whole(Whole(bytes: bytes, metrics: metrics, trailers: trailers))
    }

    /// Creates a body that is pulled from a source.
    public init(source: any BodySource) {
        content = .source(source)
    }

    /// Creates a body from a sequence of chunks.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == Bytes {
        content = .source(SequenceBodySource(chunks, phase: .receiving))
    }

    /// The bytes of a complete body; nil if the body is streamed.
    public var whole: Bytes? {
        if case .whole(let whole) = content { whole.bytes } else { nil }
    }

    /// The metrics of the transfer; nil until it has ended.
    public var metrics: TransferMetrics? {
        switch content {
        case .whole(let whole): whole.metrics
        case .source(let source): source.metrics
        }
    }

    /// The trailer fields; nil until the body has ended, or if there are none.
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

    /// Reads the body to its end and returns its bytes.
    ///
    /// - Parameter limit: The maximum number of bytes; one more ends the transfer and throws `.bodyTooLarge`.
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
            message: "the body is larger than \(limit) bytes; raise the limit (maximumResponseBytes for a call that "
                + "collects the body), or stream it")
    }

    public func makeAsyncIterator() -> AsyncIterator {
        switch content {
        case .whole(let whole): AsyncIterator(bytes: whole.bytes.isEmpty ? nil : whole.bytes, source: nil)
        case .source(let source): AsyncIterator(bytes: nil, source: source)
        }
    }

    /// An iterator over the chunks of a body.
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
