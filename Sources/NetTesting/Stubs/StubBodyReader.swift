public import HTTPTypes
public import NetCore

/// The body of a request while it arrives: read it as slowly as you like, the sender is held back.
public struct StubBodyReader: AsyncSequence, Sendable {
    public typealias Element = Bytes
    public typealias Failure = NetError

    private let body: ResponseBody

    package init(_ body: ResponseBody) {
        self.body = body
    }

    /// The fields after the body, once it has been read; nil for none, and where the body itself chose the stub.
    public var trailers: HTTPFields? { body.trailers }

    /// Reads the rest; more than `limit` bytes throw `.bodyTooLarge`.
    public func collect(upTo limit: Int) async throws(NetError) -> Bytes {
        try await body.collect(upTo: limit)
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: body.makeAsyncIterator())
    }

    /// Hands out the chunks.
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
