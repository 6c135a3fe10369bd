internal import NetCore

/// A message that does not lie whole in the block: fragments, or a payload larger than the block.
///
/// Its memory grows with what has arrived, whatever a header announced.
struct MessageAssembly: ~Copyable {
    /// How much more than has arrived is reserved for a payload that is read straight into its place.
    private static let readAhead = 256 << 10
    /// The most memory that is kept for the next fragmented text.
    private static let kept = 64 << 10

    /// Text or binary; nil while there is no message.
    private(set) var opcode: Opcode?
    /// The bytes that have arrived.
    private(set) var count = 0
    private var memory = HeapBlock()
    private var text = UTF8Check()

    /// Begins a message.
    mutating func begin(_ opcode: Opcode) {
        self.opcode = opcode
        count = 0
        text = UTF8Check()
    }

    /// Room for some of the `rest` bytes that are to come, to be filled and told with `didFill`.
    mutating func room(for rest: Int, atMost limit: Int) -> UnsafeMutableRawBufferPointer {
        memory.reserve(count + min(rest, max(Self.readAhead, count)))
        let start = memory.base.map { $0 + count }
        return UnsafeMutableRawBufferPointer(start: start, count: min(rest, limit, memory.capacity - count))
    }

    /// Copies payload bytes to the end; `rest` more of the frame are to come. False when text is not UTF-8.
    mutating func append(_ source: UnsafeRawBufferPointer, key: UInt32, phase: Int, rest: Int) -> Bool {
        guard let from = source.baseAddress, source.count > 0 else { return true }
        memory.reserve(count + source.count + min(rest, Self.kept))
        guard let base = memory.base else { return true }
        (base + count).copyMemory(from: from, byteCount: source.count)
        return didFill(source.count, key: key, phase: phase)
    }

    /// Takes bytes that stand in the room. False when text is not UTF-8.
    mutating func didFill(_ filled: Int, key: UInt32, phase: Int) -> Bool {
        guard let base = memory.base else { return true }
        let start = base + count
        if key != 0 { mask(start, start, count: filled, key: key, phase: phase) }
        count += filled
        return opcode != .text || text.accepts(UnsafeRawBufferPointer(start: start, count: filled))
    }

    /// The whole message, and ready for the next; nil when text ends inside a character.
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

    /// Forgets everything.
    mutating func cancel() {
        opcode = nil
        memory.clear()
    }
}
