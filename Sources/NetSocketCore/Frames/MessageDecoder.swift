internal import NetCore

/// Decodes the peer's bytes into messages, pings, pongs and the close, strictly by RFC 6455. It performs no I/O.
///
/// It borrows the block that the peer's bytes are read into. A frame that is complete in the block is delivered as a
/// slice of it, without a copy or a separate allocation; for text, the `String` is created once. A frame that is cut
/// off at the end of the block is moved to the next one. A payload that doesn't fit in a block is read directly into
/// its message, and a compressed message is decompressed into it (RFC 7692).
///
/// Read into `readBuffer()`, then call `didRead(_:into:)` with the number of bytes. After the last of several calls,
/// call `rest()`.
package struct MessageDecoder: ~Copyable, Sendable {
    /// The maximum number of bytes that `readBuffer` offers for a large payload.
    private static let largestRead = 512 << 10

    private let role: WebSocketRole
    private let maximumMessageBytes: Int
    private let blocks: ReadBlock

    private var block: ByteStorage?
    /// The incomplete frame between two turns, while the decoder has no block.
    private var carried = HeapBlock()
    /// The bytes of the block that aren't parsed yet: less than a frame, between two calls.
    private var start = 0
    private var end = 0
    /// The size of the incomplete frame in the block; 0 until its header is known.
    private var waitingSize = 0
    /// The number of payload bytes of that frame that are unmasked and, for text, validated.
    private var waitingDone = 0
    private var waitingText = UTF8Check()

    /// The message that isn't complete in one block.
    private var assembly = MessageAssembly()
    /// The frame whose payload goes to the assembly: bytes remaining, bytes received, and mask key.
    private var frameRest = 0
    private var frameDone = 0
    private var frameKey: UInt32 = 0
    private var frameIsFinal = false
    private var readsIntoAssembly = false
    private var inflater: MessageInflater?
    /// True after a close frame or a violation; all further input is ignored.
    private var hasEnded = false

    /// Creates a decoder for frames sent by the peer of an endpoint in `role`.
    ///
    /// - Parameters:
    ///   - role: The role of the endpoint that receives the frames.
    ///   - maximumMessageBytes: The maximum size of a message; a larger one is a violation with 1009.
    ///   - blocks: The block to read into. Default: a separate one.
    package init(role: WebSocketRole, maximumMessageBytes: Int, blocks: ReadBlock = ReadBlock()) {
        self.role = role
        self.maximumMessageBytes = maximumMessageBytes
        self.blocks = blocks
    }

    /// Accepts compressed messages from now on, with the negotiated settings.
    package mutating func startInflating(_ settings: WebSocketCompression, pool: DeflatePool) {
        inflater = MessageInflater(settings, pool: pool)
    }

    /// True if the bytes received so far end within a frame or a fragmented message.
    package var isMidMessage: Bool { !hasEnded && (start < end || assembly.opcode != nil) }

    /// Returns the buffer for the peer's next bytes: never empty, and valid until the next call of any function.
    package mutating func readBuffer() -> UnsafeMutableRawBufferPointer {
        readsIntoAssembly = !hasEnded && frameRest >= blocks.size / 2 && !assembly.isCompressed
        if readsIntoAssembly { return assembly.room(for: frameRest, atMost: Self.largestRead) }
        let block = blockWithRoom()
        return UnsafeMutableRawBufferPointer(start: block.base + end, count: block.capacity - end)
    }

    /// Processes `count` bytes that were written into `readBuffer()`.
    ///
    /// Appends the events that became complete, including those before a violation that it throws. After a close frame
    /// or a violation, all input is ignored.
    package mutating func didRead(
        _ count: Int, into events: inout [WebSocketEvent]
    ) throws(WebSocketViolation) {
        guard !hasEnded else { return }
        do throws(WebSocketViolation) {
            if readsIntoAssembly {
                try require(assembly.didFill(count, key: frameKey, phase: frameDone))
                try advanceFrame(by: count, into: &events)
            } else {
                end += count
                try parse(into: &events)
            }
        } catch {
            stop()
            throw error
        }
    }

    /// Returns the block until more bytes arrive. An incomplete frame is kept.
    package mutating func rest() {
        assembly.rest(blocks)
        guard let block = block.take() else { return }
        let waiting = end - start
        if waiting > 0 {
            carried.reserve(waiting)
            carried.base?.copyMemory(from: block.base + start, byteCount: waiting)
        }
        blocks.giveBack(block, used: waiting > 0 ? start : end)
        (start, end) = (0, waiting)
    }

    /// Processes bytes that are stored elsewhere, by copying them into `readBuffer`.
    package mutating func receive(
        _ bytes: UnsafeRawBufferPointer, into events: inout [WebSocketEvent]
    ) throws(WebSocketViolation) {
        var rest = bytes[...]
        while !rest.isEmpty, !hasEnded {
            let room = readBuffer()
            let piece = rest.prefix(room.count)
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece))
            rest = rest.dropFirst(piece.count)
            try didRead(piece.count, into: &events)
        }
    }
}

// MARK: - The block

extension MessageDecoder {
    /// Returns the block, with at least one free byte and room for the whole incomplete frame in it.
    private mutating func blockWithRoom() -> ByteStorage {
        if block == nil { borrow() }
        let waiting = end - start
        // The block isn't bound before the uniqueness check: the binding would count as a reference.
        let capacity = block?.capacity ?? 0
        if waiting > 0, start == 0 {
            // Moving a frame that is already at the front would gain nothing.
        } else if capacity - start < waitingSize || capacity - end < blocks.size / 4
            || (waiting == 0 && isKnownUniquelyReferenced(&block))
        {
            moveToFront(waiting)
        }
        guard let block else { return ByteStorage(capacity: blocks.size) }
        return block
    }

    /// Borrows a block and copies the frame into it that was incomplete when the last block was returned.
    private mutating func borrow() {
        let waiting = end - start
        let (borrowed, free) = blocks.borrow(room: max(waitingSize, waiting + 1))
        if waiting > 0, let base = carried.base {
            (borrowed.base + free).copyMemory(from: base, byteCount: waiting)
            carried.clear()
        }
        (block, start, end) = (borrowed, free, free + waiting)
    }

    /// Starts over at the front of the block, or of a new one if slices of this one are still in use.
    private mutating func moveToFront(_ waiting: Int) {
        let target = isKnownUniquelyReferenced(&block) ? block : nil
        let fresh = target ?? ByteStorage(capacity: blocks.size)
        if let block, waiting > 0 { fresh.base.copyMemory(from: block.base + start, byteCount: waiting) }
        block = fresh
        (start, end) = (0, waiting)
    }

    private mutating func stop() {
        hasEnded = true
        (start, end, frameRest) = (0, 0, 0)
        block = nil
        inflater = nil
        assembly.cancel()
    }
}

// MARK: - Frames

extension MessageDecoder {
    private mutating func parse(into events: inout [WebSocketEvent]) throws(WebSocketViolation) {
        guard let block else { return }
        let allowsCompression = inflater != nil
        while start < end {
            if frameRest > 0 {
                try takeRestOfFrame(block, into: &events)
                continue
            }
            let found = try FrameHeader.read(
                block.base + start, count: end &- start, role: role, allowsCompression: allowsCompression)
            guard let header = found else { return }
            try checkOrder(header)
            let payload = start &+ header.size
            if end &- payload >= header.length {
                try deliver(header, block, at: payload, into: &events)
                guard !hasEnded else { return }
                start = payload &+ header.length
                (waitingSize, waitingDone) = (0, 0)
            } else if header.opcode.isControl {
                waitingSize = header.size &+ header.length
                return
            } else if header.isFinal, header.opcode != .continuation, !header.isCompressed,
                header.length <= blocks.size &- header.size
            {
                try wait(for: header, block, at: payload)
                return
            } else {
                try beginFrame(header, block, at: payload, into: &events)
            }
        }
    }

    /// Checks the rules that depend on earlier frames: the order of fragments (section 5.4), and the limit of the whole
    /// message.
    @inline(__always)
    private func checkOrder(_ header: FrameHeader) throws(WebSocketViolation) {
        guard !header.opcode.isControl else { return }
        let isOpen = assembly.opcode != nil
        guard isOpen == (header.opcode == .continuation) else {
            throw WebSocketViolation(
                .protocolError,
                isOpen ? "a message begins inside a fragmented one" : "a continuation frame has no message to continue")
        }
        // The size of a compressed message is only known after decompression.
        guard !header.isCompressed, !isOpen || !assembly.isCompressed else { return }
        guard header.length <= maximumMessageBytes &- (isOpen ? assembly.count : 0) else {
            throw WebSocketViolation.tooBig(maximumMessageBytes)
        }
    }

    /// Delivers a frame that is complete in the block.
    @inline(__always)
    private mutating func deliver(
        _ header: FrameHeader, _ block: ByteStorage, at payload: Int, into events: inout [WebSocketEvent]
    ) throws(WebSocketViolation) {
        let isAssembled = !header.isFinal || header.opcode == .continuation || header.isCompressed
        if isAssembled { return try beginFrame(header, block, at: payload, into: &events) }
        if header.key != 0 { unmask(header, block, at: payload, from: waitingDone, to: header.length) }
        switch header.opcode {
        case .binary: events.append(.message(.binary(slice(header, block, at: payload))))
        case .text:
            // The check and a repairing decoder together take a third of the time of `String(validating:)` on short
            // text.
            try checkWaitingText(block, at: payload, to: header.length)
            try require(waitingText.isComplete)
            let bytes = UnsafeRawBufferPointer(start: block.base + payload, count: header.length)
            events.append(.message(.text(String(decoding: bytes, as: UTF8.self))))
        case .ping: events.append(.ping(slice(header, block, at: payload)))
        case .pong: events.append(.pong(slice(header, block, at: payload)))
        case .close, .continuation:
            let bytes = UnsafeRawBufferPointer(start: block.base + payload, count: header.length)
            let (code, reason) = try CloseFrame.read(bytes)
            events.append(.close(code, reason: reason))
            stop()
        }
    }

    /// Keeps an incomplete message in the block, which has room for all of it. Unmasks and, for text, validates the
    /// received part.
    private mutating func wait(
        for header: FrameHeader, _ block: ByteStorage, at payload: Int
    ) throws(WebSocketViolation) {
        let arrived = end - payload
        if header.key != 0 { unmask(header, block, at: payload, from: waitingDone, to: arrived) }
        if header.opcode == .text { try checkWaitingText(block, at: payload, to: arrived) }
        waitingSize = header.size + header.length
        waitingDone = arrived
    }

    /// Validates the bytes of a text frame that arrived since the last call.
    private mutating func checkWaitingText(
        _ block: ByteStorage, at payload: Int, to end: Int
    ) throws(WebSocketViolation) {
        if waitingDone == 0 { waitingText = UTF8Check() }
        let start = block.base + payload + waitingDone
        try require(waitingText.accepts(UnsafeRawBufferPointer(start: start, count: end - waitingDone)))
    }

    /// Begins a fragment or a frame that is too large for the block: its bytes go to the assembly.
    private mutating func beginFrame(
        _ header: FrameHeader, _ block: ByteStorage, at payload: Int, into events: inout [WebSocketEvent]
    ) throws(WebSocketViolation) {
        if header.opcode != .continuation {
            assembly.begin(header.opcode, isCompressed: header.isCompressed, blocks)
        }
        (frameRest, frameDone, frameKey, frameIsFinal) = (header.length, 0, header.key, header.isFinal)
        start = payload
        (waitingSize, waitingDone) = (0, 0)
        try takeRestOfFrame(block, into: &events)
    }

    private mutating func takeRestOfFrame(
        _ block: ByteStorage, into events: inout [WebSocketEvent]
    ) throws(WebSocketViolation) {
        let count = min(frameRest, end - start)
        let bytes = UnsafeRawBufferPointer(start: block.base + start, count: count)
        if assembly.isCompressed {
            let base = block.base + start
            if frameKey != 0 { mask(base, base, count: count, key: frameKey, phase: frameDone) }
            try inflate(bytes)
        } else {
            try require(assembly.append(bytes, key: frameKey, phase: frameDone, rest: frameRest - count))
        }
        start += count
        try advanceFrame(by: count, into: &events)
    }

    private mutating func advanceFrame(
        by count: Int, into events: inout [WebSocketEvent]
    ) throws(WebSocketViolation) {
        frameDone += count
        frameRest -= count
        guard frameRest == 0, frameIsFinal else { return }
        if assembly.isCompressed { try inflate(nil) }
        guard let message = assembly.finish() else { throw WebSocketViolation.notUTF8 }
        events.append(.message(message))
    }

    /// Decompresses bytes of a compressed message; nil for its end.
    private mutating func inflate(_ bytes: UnsafeRawBufferPointer?) throws(WebSocketViolation) {
        // After a violation, decompression stops.
        guard var inflater = inflater.take() else { return }
        // The limit plus one must not overflow.
        let limit = min(maximumMessageBytes, .max - 1)
        if let bytes {
            try assembly.inflate(bytes, with: &inflater, limit: limit)
        } else {
            try assembly.inflateTail(with: &inflater, limit: limit)
        }
        self.inflater = consume inflater
    }

    @inline(__always)
    private func slice(_ header: FrameHeader, _ block: ByteStorage, at payload: Int) -> Bytes {
        header.length == 0 ? Bytes() : Bytes(storage: block, offset: payload, count: header.length)
    }

    private func unmask(_ header: FrameHeader, _ block: ByteStorage, at payload: Int, from: Int, to end: Int) {
        let start = block.base + payload + from
        mask(start, start, count: end - from, key: header.key, phase: from)
    }

    private func require(_ isUTF8: Bool) throws(WebSocketViolation) {
        guard isUTF8 else { throw WebSocketViolation.notUTF8 }
    }
}
