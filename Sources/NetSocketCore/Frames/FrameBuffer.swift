package import NetCore

/// A growable buffer of outgoing frames: they are masked while they are copied to its end, and the socket's writer
/// consumes them from its front.
///
/// Once the buffer has grown to fit the traffic, a frame needs no allocation.
package struct FrameBuffer: ~Copyable, Sendable {
    /// The capacity, in bytes, that an empty buffer keeps. Allocating more for a burst costs 100 ns; without this
    /// limit, an idle connection would keep the memory forever.
    private static let kept = 1024
    /// The maximum size of a frame's header, in bytes.
    private static let largestHeader = 14

    private let role: WebSocketRole
    private var keys: MaskKeys
    private var memory = HeapBlock()
    private let spare: SpareBlock
    private var start = 0
    private var end = 0
    private var deflater: MessageDeflater?
    /// The minimum size of messages to compress, in bytes; `.max` to compress none.
    private var minimumBytes = Int.max
    /// True if the message that is being sent in parts is compressed.
    private var compressesParts = false

    /// Creates an empty buffer; only a client's frames are masked (RFC 6455 section 5.1).
    ///
    /// - Parameter spare: The memory that buffers lend one another. Default: a separate one.
    package init(role: WebSocketRole, maskKeys: consuming MaskKeys, spare: SpareBlock = SpareBlock()) {
        self.role = role
        self.spare = spare
        keys = maskKeys
    }

    /// Compresses messages from now on, with the negotiated settings.
    package mutating func startCompressing(_ settings: WebSocketCompression, pool: DeflatePool) {
        // If the peer demands a window size that zlib doesn't support, nothing is compressed.
        guard settings.minimumBytes < .max else { return }
        deflater = MessageDeflater(settings, pool: pool)
        minimumBytes = settings.minimumBytes
    }

    /// The number of bytes waiting to be written.
    package var count: Int { end - start }

    /// The memory in use, in bytes, however much of it is filled.
    package var capacity: Int { memory.capacity }

    /// Appends a message as one frame.
    @inline(__always)
    package mutating func append(_ message: WebSocketMessage, compression: MessageCompression = .automatic) {
        if minimumBytes == .max || compression == .never { return appendPlain(message) }
        if message.count < minimumBytes, compression != .always { return appendPlain(message) }
        if !appendCompressed(message, compression) { appendPlain(message) }
    }

    @inline(__always)
    private mutating func appendPlain(_ message: WebSocketMessage) {
        switch message {
        case .text(var text): text.withUTF8 { append(.text, payload: UnsafeRawBufferPointer($0)) }
        case .binary(let bytes): bytes.withUnsafeBytes { append(.binary, payload: $0) }
        }
    }

    /// Appends messages as one frame each, until `limit` bytes are waiting to be written; returns the number of
    /// messages. The last message may exceed the limit.
    ///
    /// One call for all of them: a call for each message from another module would cost a third of the time of a short
    /// message.
    package mutating func append(_ messages: ArraySlice<WebSocketMessage>, limit: Int) -> Int {
        messages.withUnsafeBufferPointer { messages in
            var appended = 0
            // Two loops, because checking in each iteration would cost a fifth of the time of a short message.
            if minimumBytes == .max {
                while appended < messages.count, count < limit {
                    appendPlain(messages[appended])
                    appended += 1
                }
            }
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
            let key = writeKey(frame, &size)
            if let source = payload.baseAddress { mask(frame + size, source, count: payload.count, key: key) }
        } else if let source = payload.baseAddress {
            (frame + size).copyMemory(from: source, byteCount: payload.count)
        }
        end += size + payload.count
    }

    /// Completes the header of a client's frame with a mask key.
    @inline(__always)
    private mutating func writeKey(_ frame: UnsafeMutableRawPointer, _ size: inout Int) -> UInt32 {
        let key = keys.next()
        let second = frame.load(fromByteOffset: 1, as: UInt8.self)
        frame.storeBytes(of: second | 0x80, toByteOffset: 1, as: UInt8.self)
        frame.storeBytes(of: key.littleEndian, toByteOffset: size, as: UInt32.self)
        size &+= 4
        return key
    }

    /// Appends a close frame. A code that must not be sent, such as `.noStatusReceived`, produces an empty one; the
    /// reason is truncated to 123 bytes between two characters.
    package mutating func appendClose(_ code: WebSocketCloseCode, reason: String) {
        CloseFrame.withPayload(code, reason: reason) { append(.close, payload: $0) }
    }

    /// Appends raw bytes, those of the handshake.
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

    /// Removes written bytes from the front. Once nothing is waiting, memory of more than 1 KiB is freed.
    package mutating func consume(_ count: Int) {
        precondition(count >= 0 && count <= self.count, "more bytes than are buffered")
        start += count
        guard start == end else { return }
        (start, end) = (0, 0)
        if memory.capacity > Self.kept { spare.giveBack(&memory) }
    }

    /// Returns the address for `size` more bytes.
    private mutating func room(for size: Int) -> UnsafeMutableRawPointer {
        if memory.capacity - end < size {
            moveToFront()
            if memory.capacity - end < size { grow(to: end + size) }
        }
        return memory.requiredBase + end
    }

    @inline(never)
    private mutating func grow(to size: Int) {
        guard size > Self.kept else { return memory.reserve(Self.kept) }
        if start == 0, end == 0 || memory.capacity <= Self.kept {
            // A block that has already grown continues to grow by itself: switching to the spare memory would require
            // copying.
            var other = HeapBlock()
            spare.borrow(insteadOf: &other)
            if other.capacity >= size {
                if let from = memory.base, end > 0 { other.requiredBase.copyMemory(from: from, byteCount: end) }
                swap(&other, &memory)
                return
            }
            spare.giveBack(&other)
        }
        memory.reserve(max(size, end * 4))
    }

    /// Moves the waiting bytes to the front if they are fewer than the consumed bytes: otherwise growing is cheaper.
    private mutating func moveToFront() {
        guard start > count, let base = memory.base else { return }
        base.copyMemory(from: base + start, byteCount: count)
        (start, end) = (0, count)
    }

    /// The maximum size of a header without a mask key, in bytes.
    package static let largestPlainHeader = 10

    /// Writes the header without a mask key and returns its size.
    @inlinable
    package static func writeHead(
        _ frame: UnsafeMutableRawPointer, opcode: Opcode, isFinal: Bool, length: Int, isCompressed: Bool = false
    ) -> Int {
        frame.storeBytes(of: (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue, as: UInt8.self)
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

// MARK: - Compressed messages, and messages in parts

extension FrameBuffer {
    /// Appends one part of a message as a frame. The first part determines the kind of the message, and whether all
    /// parts are compressed.
    package mutating func append(
        part payload: UnsafeRawBufferPointer, of opcode: Opcode, isFirst: Bool, isFinal: Bool,
        compression: MessageCompression = .automatic
    ) {
        if isFirst { compressesParts = compression != .never && (deflater?.begin() ?? false) }
        let opcode = isFirst ? opcode : .continuation
        guard compressesParts else { return append(opcode, payload: payload, isFinal: isFinal) }
        deflate(payload, opcode, isFinal: isFinal, isMarked: isFirst, fallsBack: false)
        if isFinal { deflater?.end() }
    }

    /// Appends a compressed message. Returns false if it should be sent uncompressed.
    @inline(never)
    private mutating func appendCompressed(_ message: WebSocketMessage, _ compression: MessageCompression) -> Bool {
        guard deflater?.begin() == true else { return false }
        defer { deflater?.end() }
        // If everything is to be compressed, messages are compressed even if that doesn't help.
        let fallsBack = compression == .automatic && minimumBytes > 0
        switch message {
        case .text(var text):
            return text.withUTF8 {
                deflate(UnsafeRawBufferPointer($0), .text, isFinal: true, isMarked: true, fallsBack: fallsBack)
            }
        case .binary(let bytes):
            return bytes.withUnsafeBytes {
                deflate($0, .binary, isFinal: true, isMarked: true, fallsBack: fallsBack)
            }
        }
    }

    /// Appends a frame with a compressed payload; only the first frame of a compressed message is marked as such (RFC
    /// 7692 section 6). Returns false if the payload hasn't become smaller, no later message refers to it, and
    /// `fallsBack` is true.
    @discardableResult
    private mutating func deflate(
        _ payload: UnsafeRawBufferPointer, _ opcode: Opcode, isFinal: Bool, isMarked: Bool, fallsBack: Bool
    ) -> Bool {
        guard var deflater = deflater.take() else { return false }
        // From here on, no data may be moved to the front, which would lose the bytes compressed so far.
        moveToFront()
        let length = deflater.compress(payload, isFinal: isFinal) { written, more in
            room(for: Self.largestHeader + written + more) + Self.largestHeader
        }
        let isUseless = fallsBack && !deflater.takesOverContext && length >= payload.count
        self.deflater = consume deflater
        if isUseless { return false }
        let frame = memory.requiredBase + end
        var size = Self.writeHead(
            frame, opcode: opcode, isFinal: isFinal, length: length, isCompressed: isMarked)
        let source = frame + Self.largestHeader
        if role == .client {
            let key = writeKey(frame, &size)
            mask(source, source, count: length, key: key)
        }
        (frame + size).copyMemory(from: source, byteCount: length)
        end += size + length
        return true
    }
}
