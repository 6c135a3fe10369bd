internal import NetCore

/// A message that isn't complete in one block: fragments, or a payload larger than the block.
///
/// Its memory grows with the bytes received, regardless of the length that a header announces.
struct MessageAssembly: ~Copyable {
    /// The number of bytes to reserve beyond those received, for a payload that is read directly into its place.
    private static let readAhead = 256 << 10
    /// The maximum number of bytes to reserve for fragments that follow.
    private static let kept = 64 << 10
    /// The tail that is removed from each compressed message before it is sent (RFC 7692 section 7.2.2).
    private static let tail: UInt32 = 0x0000_FFFF

    /// Text or binary; nil if no message is in progress.
    private(set) var opcode: Opcode?
    /// The number of bytes received so far.
    private(set) var count = 0
    /// True if the message is compressed.
    private(set) var isCompressed = false
    private var memory = HeapBlock()
    private var text = UTF8Check()

    /// Begins a text or binary message.
    mutating func begin(_ opcode: Opcode, isCompressed: Bool, _ block: ReadBlock) {
        self.opcode = opcode
        self.isCompressed = isCompressed
        count = 0
        text = UTF8Check()
        // A text is copied out of the memory; a binary message takes ownership of it.
        if opcode == .text, memory.capacity == 0 { memory = block.borrowSpare() }
    }

    /// Releases memory that isn't used by a message.
    mutating func rest(_ block: ReadBlock) {
        guard opcode == nil, memory.capacity > 0 else { return }
        var spare = HeapBlock()
        swap(&spare, &memory)
        block.giveBack(spare: spare)
    }

    /// Returns room for some of the `rest` bytes that remain; call `didFill` after filling it.
    mutating func room(for rest: Int, atMost limit: Int) -> UnsafeMutableRawBufferPointer {
        memory.reserve(count + min(rest, max(Self.readAhead, count)))
        let start = memory.base.map { $0 + count }
        return UnsafeMutableRawBufferPointer(start: start, count: min(rest, limit, memory.capacity - count))
    }

    /// Appends a copy of payload bytes; `rest` more of the frame follow. Returns false if text isn't UTF-8.
    mutating func append(_ source: UnsafeRawBufferPointer, key: UInt32, phase: Int, rest: Int) -> Bool {
        guard let from = source.baseAddress, source.count > 0 else { return true }
        memory.reserve(count + source.count + min(rest, Self.kept))
        guard let base = memory.base else { return true }
        (base + count).copyMemory(from: from, byteCount: source.count)
        return didFill(source.count, key: key, phase: phase)
    }

    /// Accepts bytes that were written into the room. Returns false if text isn't UTF-8.
    mutating func didFill(_ filled: Int, key: UInt32, phase: Int) -> Bool {
        guard let base = memory.base else { return true }
        let start = base + count
        if key != 0 { mask(start, start, count: filled, key: key, phase: phase) }
        count += filled
        return opcode != .text || text.accepts(UnsafeRawBufferPointer(start: start, count: filled))
    }

    /// Returns the complete message and prepares for the next one; nil if text ends within a character.
    mutating func finish() -> WebSocketMessage? {
        let isText = opcode == .text
        opcode = nil
        guard isText else {
            return .binary(count == 0 ? Bytes() : Bytes(storage: memory.takeStorage(count: count), count: count))
        }
        guard text.isComplete else { return nil }
        return .text(String(decoding: UnsafeRawBufferPointer(start: memory.base, count: count), as: UTF8.self))
    }

    /// Discards the message and frees its memory.
    mutating func cancel() {
        opcode = nil
        memory.clear()
    }
}

// MARK: - Compressed messages

extension MessageAssembly {
    /// Appends the decompressed bytes. The limit counts decompressed bytes as they are produced, so that a small frame
    /// can't take much memory.
    mutating func inflate(
        _ source: UnsafeRawBufferPointer, with inflater: inout MessageInflater, limit: Int
    ) throws(WebSocketViolation) {
        var rest = source
        while true {
            // One byte beyond the limit shows that it is exceeded.
            memory.reserve(count + min(max(256, rest.count * 4, count), limit - count + 1))
            let room = UnsafeMutableRawBufferPointer(
                start: memory.requiredBase + count, count: min(memory.capacity - count, limit - count + 1))
            let (consumed, written, violation) = inflater.inflate(rest, into: room)
            // The bytes written before the error are checked first, so that the result doesn't depend on how the input
            // is split.
            guard didFill(written, key: 0, phase: 0) else { throw WebSocketViolation.notUTF8 }
            guard count <= limit else { throw WebSocketViolation.tooBig(limit) }
            if let violation { throw violation }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(consumed))
            if rest.isEmpty, written < room.count { return }
        }
    }

    /// Completes a compressed message.
    mutating func inflateTail(
        with inflater: inout MessageInflater, limit: Int
    ) throws(WebSocketViolation) {
        var tail = Self.tail.bigEndian
        var violation: WebSocketViolation?
        withUnsafeBytes(of: &tail) { tail in
            do throws(WebSocketViolation) {
                try inflate(tail, with: &inflater, limit: limit)
            } catch {
                violation = error
            }
        }
        if let violation { throw violation }
        inflater.end()
    }
}
