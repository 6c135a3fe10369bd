/// The JSON values of a response as they arrive: one per line (JSON Lines, NDJSON), or as records of a JSON text
/// sequence (RFC 7464).
///
/// Iterate it once. Blank lines are skipped, and the last line need not be terminated. For a line that isn't an
/// `Element`, the sequence either throws `.decoding` with the line's number and ends, or yields a failed `Result`,
/// depending on how it was created. While the consumer isn't reading, the transfer is paused; cancelling the task or
/// dropping the sequence ends it. Throws ``NetError``: errors of the transfer, and `.bodyTooLarge` for a line above
/// the limit.
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

    /// An iterator over the values.
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
                    // Blank text before a separator, such as the first one, isn't a record.
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

/// The way in which the values of a body are separated.
public enum JSONFraming: Sendable, Hashable {
    /// Each value ends with LF: `application/jsonl`, `application/x-ndjson`.
    case lines
    /// Each value begins with RS and ends with LF: `application/json-seq` (RFC 7464).
    case recordSeparators
}
