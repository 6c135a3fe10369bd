internal import NetCore

/// A message that isn't complete in one block: fragments, or a payload larger than the block.
///
/// Its memory grows with the bytes received, whatever length a header announces.
struct MessageAssembly: ~Copyable {
    /// The number of bytes to reserve beyond those received, for a payload that is read directly into its place.
    private static let readAhead = 256 << 10
    /// The maximum capacity, in bytes, that is kept for the next fragmented text message.
    private static let kept = 64 << 10

    /// Text or binary; nil if no message is in progress.
    private(set) var opcode: Opcode?
    /// The number of bytes received so far.
    private(set) var count = 0
    private var memory = HeapBlock()
    private var text = UTF8Check()

    /// Begins a text or binary message.
    mutating func begin(_ opcode: Opcode) {
        self.opcode = opcode
        count = 0
        text = UTF8Check()
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
        defer { if memory.capacity > Self.kept { memory.clear() } }
        guard text.isComplete else { return nil }
        return .text(String(decoding: UnsafeRawBufferPointer(start: memory.base, count: count), as: UTF8.self))
    }

    /// Discards the message and frees its memory.
    mutating func cancel() {
        opcode = nil
        memory.clear()
    }
}
