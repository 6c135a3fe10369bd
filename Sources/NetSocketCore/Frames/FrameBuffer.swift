package import NetCore

/// Frames out: a growable block at whose end frames are appended, masked while they are copied, and from whose front
/// whoever writes to the socket takes them.
///
/// Once it has grown to the traffic, a frame costs no allocation.
package struct FrameBuffer: ~Copyable, Sendable {
    /// An empty buffer gives back more than this.
    private static let kept = 128 << 10

    private let role: WebSocketRole
    private var keys: MaskKeys
    private var memory = HeapBlock()
    private var start = 0
    private var end = 0

    /// Makes an empty buffer; only a client's frames are masked (RFC 6455 section 5.1).
    package init(role: WebSocketRole, maskKeys: consuming MaskKeys) {
        self.role = role
        keys = maskKeys
    }

    /// Bytes that wait.
    package var count: Int { end - start }

    /// The memory in use, whatever waits in it.
    package var capacity: Int { memory.capacity }

    /// Appends a message as one frame.
    package mutating func append(_ message: WebSocketMessage) {
        switch message {
        case .text(var text): text.withUTF8 { append(.text, payload: UnsafeRawBufferPointer($0)) }
        case .binary(let bytes): bytes.withUnsafeBytes { append(.binary, payload: $0) }
        }
    }

    /// Appends a frame. The payload of a control frame has at most 125 bytes, and such a frame is final.
    package mutating func append(_ opcode: Opcode, payload: UnsafeRawBufferPointer, isFinal: Bool = true) {
        precondition(!opcode.isControl || (payload.count <= 125 && isFinal), "not a control frame")
        let frame = room(for: 14 + payload.count)
        var size = Self.writeHead(frame, opcode: opcode, isFinal: isFinal, length: payload.count)
        if role == .client {
            let key = keys.next()
            let second = frame.load(fromByteOffset: 1, as: UInt8.self)
            frame.storeBytes(of: second | 0x80, toByteOffset: 1, as: UInt8.self)
            frame.storeBytes(of: key.littleEndian, toByteOffset: size, as: UInt32.self)
            size &+= 4
            if let source = payload.baseAddress { mask(frame + size, source, count: payload.count, key: key) }
        } else if let source = payload.baseAddress {
            (frame + size).copyMemory(from: source, byteCount: payload.count)
        }
        end += size + payload.count
    }

    /// Appends a close frame. A code that must not be sent, such as `.noStatusReceived`, gives an empty one; the reason
    /// is cut to 123 bytes between two characters.
    package mutating func appendClose(_ code: WebSocketCloseCode, reason: String) {
        CloseFrame.withPayload(code, reason: reason) { append(.close, payload: $0) }
    }

    /// Appends bytes as they are: the handshake.
    package mutating func append(raw: UnsafeRawBufferPointer) {
        guard let source = raw.baseAddress else { return }
        room(for: raw.count).copyMemory(from: source, byteCount: raw.count)
        end += raw.count
    }

    /// Calls `body` with all bytes that wait, from the front; they are valid until it returns.
    package borrowing func withPending<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(UnsafeRawBufferPointer(start: memory.base.map { $0 + start }, count: count))
    }

    /// Takes bytes from the front: they are written. More than 128 KiB of memory are given back once nothing waits.
    package mutating func consume(_ count: Int) {
        precondition(count >= 0 && count <= self.count, "more than what waits")
        start += count
        guard start == end else { return }
        (start, end) = (0, 0)
        if memory.capacity > Self.kept { memory.clear() }
    }

    /// Where `size` more bytes go.
    private mutating func room(for size: Int) -> UnsafeMutableRawPointer {
        if memory.capacity - end < size {
            // Moving is cheap only while less waits than was taken; else the block grows.
            if start > count, let base = memory.base {
                base.copyMemory(from: base + start, byteCount: count)
                (start, end) = (0, count)
            }
            if memory.capacity - end < size { memory.reserve(max(end + size, 1024)) }
        }
        return memory.requiredBase + end
    }

    /// Writes the header without a mask and returns its size.
    @inline(__always)
    private static func writeHead(
        _ frame: UnsafeMutableRawPointer, opcode: Opcode, isFinal: Bool, length: Int
    ) -> Int {
        frame.storeBytes(of: (isFinal ? 0x80 : 0) | opcode.rawValue, as: UInt8.self)
        if length <= 125 {
            frame.storeBytes(of: UInt8(length), toByteOffset: 1, as: UInt8.self)
            return 2
        }
        if length <= 65_535 {
            frame.storeBytes(of: 126, toByteOffset: 1, as: UInt8.self)
            frame.storeBytes(of: UInt16(length).bigEndian, toByteOffset: 2, as: UInt16.self)
            return 4
        }
        frame.storeBytes(of: 127, toByteOffset: 1, as: UInt8.self)
        frame.storeBytes(of: UInt64(length).bigEndian, toByteOffset: 2, as: UInt64.self)
        return 10
    }
}
