package import NetCore

/// A growable buffer of outgoing frames: they are masked while they are copied to its end, and the socket's writer
/// consumes them from its front.
///
/// Once the buffer has grown to fit the traffic, a frame needs no allocation.
package struct FrameBuffer: ~Copyable, Sendable {
    /// The maximum capacity, in bytes, that an empty buffer keeps.
    private static let kept = 128 << 10

    private let role: WebSocketRole
    private var keys: MaskKeys
    private var memory = HeapBlock()
    private var start = 0
    private var end = 0

    /// Creates an empty buffer; only a client's frames are masked (RFC 6455 section 5.1).
    package init(role: WebSocketRole, maskKeys: consuming MaskKeys) {
        self.role = role
        keys = maskKeys
    }

    /// The number of bytes waiting to be written.
    package var count: Int { end - start }

    /// The memory in use, in bytes, however much of it is filled.
    package var capacity: Int { memory.capacity }

    /// Appends a message as one frame.
    @inline(__always)
    package mutating func append(_ message: WebSocketMessage) {
        switch message {
        case .text(var text): text.withUTF8 { append(.text, payload: UnsafeRawBufferPointer($0)) }
        case .binary(let bytes): bytes.withUnsafeBytes { append(.binary, payload: $0) }
        }
    }

    /// Appends messages as one frame each, until `limit` bytes wait to be written; returns the number of messages. The last one
    /// may exceed the limit.
    ///
    /// One call for all: a call for each message from another module would cost a third of the time of a short message.
    package mutating func append(_ messages: ArraySlice<WebSocketMessage>, limit: Int) -> Int {
        messages.withUnsafeBufferPointer { messages in
            var appended = 0
            while appended < messages.count, count < limit {
                append(messages[appended])
                appended += 1
            }
            return appended
        }
    }

    /// Appends a frame. A control frame must be final and have a payload of at most 125 bytes.
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

    /// Appends a close frame. A code that must not be sent, such as `.noStatusReceived`, produces an empty one; the
    /// reason is truncated to 123 bytes between two characters.
    package mutating func appendClose(_ code: WebSocketCloseCode, reason: String) {
        CloseFrame.withPayload(code, reason: reason) { append(.close, payload: $0) }
    }

    /// Appends bytes unchanged: those of the handshake.
    package mutating func append(raw: UnsafeRawBufferPointer) {
        guard let source = raw.baseAddress else { return }
        room(for: raw.count).copyMemory(from: source, byteCount: raw.count)
        end += raw.count
    }

    /// Calls `body` with all waiting bytes, from the front; they are valid until it returns.
    package borrowing func withPending<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(UnsafeRawBufferPointer(start: memory.base.map { $0 + start }, count: count))
    }

    /// Removes written bytes from the front. Once nothing is waiting, memory of more than 128 KiB is freed.
    package mutating func consume(_ count: Int) {
        precondition(count >= 0 && count <= self.count, "more than what waits")
        start += count
        guard start == end else { return }
        (start, end) = (0, 0)
        if memory.capacity > Self.kept { memory.clear() }
    }

    /// Returns the address for `size` more bytes.
    private mutating func room(for size: Int) -> UnsafeMutableRawPointer {
        if memory.capacity - end < size {
            // Moving is cheap only if less is waiting than was consumed; otherwise the block grows.
            if start > count, let base = memory.base {
                base.copyMemory(from: base + start, byteCount: count)
                (start, end) = (0, count)
            }
            if memory.capacity - end < size { memory.reserve(max(end + size, 1024)) }
        }
        return memory.requiredBase + end
    }

    /// Writes the header without a mask key and returns its size.
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
