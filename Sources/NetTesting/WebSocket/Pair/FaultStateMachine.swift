internal import NetCore

/// Decides which of the bytes of one direction arrive, in which chunks, and when the direction fails.
///
/// | state | bytes before the point | the point | bytes after it |
/// |---|---|---|---|
/// | intact | pass | fails: over | – |
/// | over | – | – | lost |
struct FaultStateMachine: Sendable {
    /// The part of a write that arrives, and the failure that follows it.
    struct Outcome: Sendable, Equatable {
        var chunks: [Bytes] = []
        var failure: WebSocketFaults.Failure?
    }

    private let faults: WebSocketFaults.Direction
    private var counter = FrameCounter()
    private var written = 0
    private var isOver = false

    init(_ faults: WebSocketFaults.Direction) {
        self.faults = faults
    }

    /// True if nothing arrives any more, not even the end of the connection.
    var isSilent: Bool { isOver && faults.failure == .silence }

    /// Handles the bytes that the sender writes.
    mutating func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        guard !isOver, !bytes.isEmpty else { return Outcome() }
        let passing = faults.failure == nil ? bytes.count : bytesUntilThePoint(bytes)
        written += passing
        var outcome = Outcome(chunks: chunks(UnsafeRawBufferPointer(rebasing: bytes[..<passing])))
        if isOver { outcome.failure = faults.failure }
        return outcome
    }

    private mutating func bytesUntilThePoint(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch faults.point {
        case .bytes(let limit):
            isOver = written + bytes.count >= limit
            return max(0, min(bytes.count, limit - written))
        case .frames(let limit):
            let passing = counter.count(bytes, upTo: limit)
            isOver = counter.frames >= limit
            return passing
        }
    }

    private func chunks(_ bytes: UnsafeRawBufferPointer) -> [Bytes] {
        var chunks: [Bytes] = []
        var start = 0
        while start < bytes.count {
            let end = start + min(faults.chunkBytes, bytes.count - start)
            chunks.append(Bytes(copying: UnsafeRawBufferPointer(rebasing: bytes[start..<end])))
            start = end
        }
        return chunks
    }
}
