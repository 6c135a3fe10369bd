public import HTTPTypes
public import NetCore

/// The body of a request while it is arriving: reading slowly slows down the sender.
public struct StubBodyReader: AsyncSequence, Sendable {
    public typealias Element = Bytes
    public typealias Failure = NetError

    private let body: ResponseBody

    package init(_ body: ResponseBody) {
        self.body = body
    }

    /// The trailer fields, available after the body has been read; nil if there are none, or if the stub was selected
    /// by the body.
    public var trailers: HTTPFields? { body.trailers }

    /// Reads the rest of the body; throws `.bodyTooLarge` for more than `limit` bytes.
    public func collect(upTo limit: Int) async throws(NetError) -> Bytes {
        try await body.collect(upTo: limit)
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: body.makeAsyncIterator())
    }

    /// An iterator over the chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: ResponseBody.AsyncIterator

        public mutating func next() async throws(NetError) -> Bytes? {
            try await base.next()
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetError) -> Bytes? {
            try await base.next(isolation: actor)
        }
    }
}
