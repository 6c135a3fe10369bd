extension ResponseBody {
    /// The lines of the body as they arrive, without their ends: LF, CR or CRLF. A last line without an end counts.
    ///
    /// Bytes that are not UTF-8 become U+FFFD. Iterate it once.
    ///
    ///     for try await line in body.lines() { print(line) }
    ///
    /// - Parameter maximumLineBytes: The longest line; a longer one throws `.bodyTooLarge`. Default 16 MiB.
    public func lines(maximumLineBytes: Int = 16 << 20) -> Lines {
        Lines(body: self, maximumLineBytes: maximumLineBytes)
    }

    /// The lines of a body. Throws ``NetError``; cancelling the task or dropping the sequence ends the transfer.
    public struct Lines: AsyncSequence, Sendable {
        public typealias Element = String
        public typealias Failure = NetError

        let body: ResponseBody
        let maximumLineBytes: Int

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(
                body: body, chunks: body.makeAsyncIterator(),
                parser: LineParser(maximumLineBytes: maximumLineBytes))
        }

        /// Hands out the lines.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let body: ResponseBody
            var chunks: ResponseBody.AsyncIterator
            var parser: LineParser
            var input = Bytes()
            var isDone = false

            public mutating func next() async throws(NetError) -> String? {
                try await next(isolation: nil)
            }

            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetError) -> String? {
                do {
                    while !isDone {
                        if let line = try parser.next(from: &input) { return String(decoding: line, as: UTF8.self) }
                        if let chunk = try await chunks.next(isolation: actor) {
                            input = chunk
                        } else {
                            isDone = true
                        }
                    }
                } catch {
                    isDone = true
                    _ = parser.finish()
                    body.cancel()
                    throw error
                }
                return parser.finish().map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }
}
