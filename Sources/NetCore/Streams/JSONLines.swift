/// The JSON values of a response, one a line, as they arrive (JSON Lines, NDJSON), or as records of a JSON text sequence
/// (RFC 7464).
///
/// Iterate it once. Blank lines are skipped; a last line without its end counts. A line that is no `Element` throws
/// `.decoding` with its number and ends the stream, or is handed out as a failed `Result`, whichever the sequence was made
/// for. The server is paused while you do not read; cancelling the task or dropping the sequence ends the transfer. Throws
/// ``NetError``: the transfer's own, and `.bodyTooLarge` for a line past the limit.
///
///     struct Tick: Decodable, Sendable { let price: Double }
///     for try await tick in body.jsonLines(of: Tick.self) { print(tick.price) }
public struct JSONLines<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = NetError

    let body: ResponseBody
    let framing: JSONFraming
    let maximumLineBytes: Int
    let decode: @Sendable (Bytes, _ number: Int) throws(NetError) -> Element

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(sequence: self)
    }

    /// Hands out the values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let sequence: JSONLines
        private var chunks: ResponseBody.AsyncIterator
        private var parser: LineParser
        private var input = Bytes()
        private var number = 0
        private var isDone = false

        init(sequence: JSONLines) {
            self.sequence = sequence
            chunks = sequence.body.makeAsyncIterator()
            parser = LineParser(
                maximumLineBytes: sequence.maximumLineBytes,
                separator: sequence.framing == .lines ? .lineFeed : .recordSeparator)
        }

        public mutating func next() async throws(NetError) -> Element? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetError) -> Element? {
            do {
                while let line = try await line(actor) {
                    let isBlank = line.allSatisfy { $0 == 32 || $0 == 9 || $0 == 10 || $0 == 13 }
                    // What is before the first separator is no record.
                    if !isBlank || sequence.framing == .lines { number += 1 }
                    if isBlank { continue }
                    return try sequence.decode(line, number)
                }
                return nil
            } catch {
                isDone = true
                input = Bytes()
                _ = parser.finish()
                throw sequence.body.fail(error)
            }
        }

        private mutating func line(_ actor: isolated (any Actor)?) async throws(NetError) -> Bytes? {
            while !isDone {
                if let line = try parser.next(from: &input) { return line }
                guard let chunk = try await chunks.next(isolation: actor) else {
                    isDone = true
                    break
                }
                input = chunk
            }
            return parser.finish()
        }
    }
}

/// How the values of a body are told apart.
public enum JSONFraming: Sendable, Hashable {
    /// LF after each: `application/jsonl`, `application/x-ndjson`.
    case lines
    /// RS before and LF after each: `application/json-seq` (RFC 7464).
    case recordSeparators
}
