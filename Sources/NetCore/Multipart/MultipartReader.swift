internal import HTTPTypes
internal import Synchronization

/// Pulls a body through the parser. The sequence of parts and the bodies of the parts share it.
final class MultipartReader: Sendable {
    private struct State {
        var parser: MultipartParser
        var input: Bytes
        var isInPart = false
        var isDone = false
    }

    private let body: ResponseBody
    private let state: Mutex<State>
    private let isReading = Mutex(false)

    init(_ body: ResponseBody, parser: MultipartParser) {
        self.body = body
        state = Mutex(State(parser: parser, input: body.whole ?? Bytes()))
    }

    func cancel() {
        state.withLock { $0.isDone = true }
        body.cancel()
    }

    /// Skips the rest of the current part and returns the next one with its number; nil at the end, and always after
    /// an error.
    func nextPart() async throws(NetError) -> (HTTPFields, Int)? {
        try await alone { () async throws(NetError) in
            while let (event, number) = try await self.event() {
                guard case .part(let headers) = event else { continue }
                return (headers, number)
            }
            return nil
        }
    }

    /// Returns more of that part's body; nil at its end. Throws if the part was skipped.
    func nextBytes(of number: Int) async throws(NetError) -> Bytes? {
        try await alone { () async throws(NetError) in
            let isCurrent = self.state.withLock { $0.isInPart && $0.parser.partCount == number && !$0.isDone }
            guard isCurrent else {
                throw NetError(
                    .unsupported, phase: .receiving,
                    message: "part \(number) is over: the next part was requested, or the body was cancelled or failed")
            }
            while let (event, _) = try await self.event() {
                switch event {
                case .body(let bytes): return bytes
                case .partEnd, .part: return nil
                }
            }
            return nil
        }
    }

    private func alone<Value>(
        _ read: () async throws(NetError) -> Value
    ) async throws(NetError) -> Value {
        let isFree = isReading.withLock { isReading in
            defer { isReading = true }
            return !isReading
        }
        guard isFree else {
            throw NetError(
                .unsupported, phase: .receiving,
                message: "two tasks are reading the same multipart body concurrently; let one task read it")
        }
        defer { isReading.withLock { $0 = false } }
        return try await read()
    }

    private func event() async throws(NetError) -> (MultipartParser.Event, Int)? {
        do {
            while true {
                if let found = try parsed() { return found }
                if state.withLock({ $0.isDone }) { return nil }
                guard let chunk = try await more() else {
                    try state.withLock { state throws(NetError) in
                        state.isDone = true
                        try state.parser.finish()
                    }
                    return nil
                }
                state.withLock { $0.input = chunk }
            }
        } catch {
            state.withLock { $0.isDone = true }
            throw body.fail(error)
        }
    }

    private func parsed() throws(NetError) -> (MultipartParser.Event, Int)? {
        try state.withLock { state throws(NetError) in
            guard !state.isDone, let event = try state.parser.next(from: &state.input) else { return nil }
            switch event {
            case .part, .body: state.isInPart = true
            case .partEnd: state.isInPart = false
            }
            return (event, state.parser.partCount)
        }
    }

    private func more() async throws(NetError) -> Bytes? {
        guard body.whole == nil else { return nil }
        var chunks = body.makeAsyncIterator()
        return try await chunks.next()
    }
}

/// The body of one part.
final class MultipartPartSource: BodySource {
    private let reader: MultipartReader
    private let number: Int
    private let isOver = Mutex(false)

    init(reader: MultipartReader, number: Int) {
        self.reader = reader
        self.number = number
    }

    func next() async throws(NetError) -> Bytes? {
        if isOver.withLock({ $0 }) { return nil }
        if let bytes = try await reader.nextBytes(of: number) { return bytes }
        isOver.withLock { $0 = true }
        return nil
    }

    /// The rest of the part is skipped when the next one is requested; the transfer continues.
    func cancel() {
        isOver.withLock { $0 = true }
    }
}
