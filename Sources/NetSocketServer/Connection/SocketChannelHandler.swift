#if Server
internal import NIOCore
internal import NetCore
internal import NetSocketCore

/// A WebSocket on an NIO channel: runs the library's codec directly on the channel's bytes.
///
/// `@unchecked Sendable`: used on the channel's event loop only.
final class SocketChannelHandler: ChannelDuplexHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The progress of the closing handshake.
    enum Phase {
        case open
        /// This side has sent its close frame and waits for the peer's.
        case closing
        /// Nothing is read or written any more; the channel closes.
        case over
    }

    let connection: ServerConnection
    let lane: LoopLane
    var memory: LaneMemory { lane.memory }
    private let compression: WebSocketCompression?
    private var decoder: MessageDecoder
    /// Compresses messages; nil without compression.
    private var frames: FrameBuffer?
    var context: ChannelHandlerContext?
    var phase = Phase.open
    /// The data written in this turn and not yet handed to the channel.
    private var staged = ByteBuffer()
    private var isWritten = false
    /// A cached value: it is checked for each message, and asking the channel is slow.
    private var isChannelWritable = false
    private(set) var isReading = true
    private var wantsRead = false
    /// Bytes that wait until reading resumes. They aren't decoded earlier, since decompressing can make them a
    /// thousand times larger.
    private var unread = ByteBuffer()
    /// The remaining messages of the last decoded bytes, if reading stopped among them.
    private(set) var backlog: [WebSocketEvent] = []
    private var isHandling = false
    private var isScheduled = false
    /// The cost of the events handled in this turn.
    private var spent = 0
    /// The maximum cost of one turn: the size of its messages, plus a kilobyte for each event. The loop's other
    /// connections wait meanwhile.
    private static let maximumTurn = 512 << 10
    /// The number of bytes that are decoded before their messages are handled.
    private let piece: Int
    /// The payload of the latest ping whose pong is delayed because the peer doesn't read. Earlier pings don't need
    /// pongs (RFC 6455 section 5.5.3).
    private var owedPong: Bytes?

    /// The number of bytes that may be written in one turn before the outlet counts as full.
    private static let maximumStaged = 64 << 10

    init(
        _ connection: ServerConnection, _ lane: LoopLane, compression: WebSocketCompression?, maximumMessageBytes: Int
    ) {
        self.connection = connection
        self.lane = lane
        self.compression = compression
        piece = compression == nil ? 32 << 10 : 2 << 10
        decoder = MessageDecoder(
            role: .server, maximumMessageBytes: maximumMessageBytes, blocks: lane.memory.block)
        guard let compression else { return }
        decoder.startInflating(compression, pool: lane.memory.pool)
        var frames = FrameBuffer(role: .server, maskKeys: MaskKeys(), spare: lane.memory.spare)
        frames.startCompressing(compression, pool: lane.memory.pool)
        self.frames = consume frames
    }

    // MARK: Life

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isChannelWritable = context.channel.isWritable
        lane.beginTurn()
        connection.opened(self)
        lane.endTurn()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        lane.endTurn()
        self.context = nil
        isChannelWritable = false
        ended()
    }

    func channelInactive(context: ChannelHandlerContext) {
        ended()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The channel closes by itself, or can't be used any more.
        context.close(promise: nil)
    }

    private func ended() {
        guard phase != .over || !connection.hasEnded else { return }
        forgetUnread()
        phase = .over
        connection.ended()
    }

    private func forgetUnread() {
        unread = ByteBuffer()
        backlog = []
    }

    // MARK: Reading

    func read(context: ChannelHandlerContext) {
        if isReading, !hasUnread { context.read() } else { wantsRead = true }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lane.beginTurn()
        guard phase != .over else { return }
        var bytes = unwrapInboundIn(data)
        if unread.readableBytes == 0 { unread = bytes } else { unread.writeBuffer(&bytes) }
        goOn()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        lane.endTurn()
    }

    private var hasUnread: Bool { !backlog.isEmpty || unread.readableBytes > 0 }

    /// Handles the bytes that have arrived, unless reading is paused or the turn's limit is reached.
    private func goOn() {
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        spent = 0
        let waiting = backlog
        backlog = []
        take(waiting)
        while isReading, phase != .over, spent < Self.maximumTurn, unread.readableBytes > 0 {
            guard let next = unread.readSlice(length: min(piece, unread.readableBytes)) else { break }
            next.withUnsafeReadableBytes { receive($0) }
        }
        if phase == .over { return forgetUnread() }
        if unread.readableBytes == 0 { unread = ByteBuffer() }
        guard isReading, let context else { return }
        if hasUnread {
            goOnLater(context)
        } else if wantsRead {
            wantsRead = false
            context.read()
        }
    }

    private func goOnLater(_ context: ChannelHandlerContext) {
        guard !isScheduled else { return }
        isScheduled = true
        context.eventLoop.execute { [self] in
            isScheduled = false
            guard self.context != nil, phase != .over else { return }
            lane.beginTurn()
            goOn()
            lane.endTurn()
        }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) {
        connection.bytesArrived(bytes.count)
        var events = memory.events
        memory.events = []
        var violation: WebSocketViolation?
        do throws(WebSocketViolation) {
            try decoder.receive(bytes, into: &events)
        } catch {
            violation = error
        }
        decoder.rest()
        take(events)
        connection.pieceWasHandled()
        if let violation { violated(violation) }
        events.removeAll(keepingCapacity: true)
        memory.events = events
    }

    /// Handles events, or keeps them while reading is paused.
    private func take(_ events: [WebSocketEvent]) {
        for (index, event) in events.enumerated() {
            guard isReading, backlog.isEmpty, spent < Self.maximumTurn else {
                backlog += events[index...]
                return
            }
            spent += 1024
            if case .message(let message) = event { spent += message.count }
            handle(event)
        }
    }

    private func handle(_ event: WebSocketEvent) {
        switch event {
        case .message(let message): if phase == .open { connection.received(message) }
        case .ping(let payload):
            connection.recorder?.record(.received, .ping, bytes: payload.count)
            connection.controlArrived()
            if phase == .open { pong(payload) }
        case .pong(let payload):
            connection.recorder?.record(.received, .pong, bytes: payload.count)
            connection.controlArrived()
            connection.pongArrived()
        case .close(let code, let reason):
            let bytes = code == .noStatusReceived ? 0 : 2 + reason.utf8.count
            connection.recorder?.record(.received, .close, bytes: bytes)
            closed(code, reason)
        }
    }

    private func pong(_ payload: Bytes) {
        guard isWritable else {
            owedPong = payload
            return
        }
        payload.withUnsafeBytes { write(.pong, $0) }
    }

    private func payPong() {
        guard phase == .open, let payload = owedPong.take() else { return }
        payload.withUnsafeBytes { write(.pong, $0) }
    }

    func setReading(_ isReading: Bool) {
        guard self.isReading != isReading else { return }
        self.isReading = isReading
        guard isReading else { return }
        goOn()
    }

    // MARK: Ending

    private func closed(_ code: WebSocketCloseCode, _ reason: String) {
        if phase == .open {
            connection.closing(WebSocketClosure(code: code, reason: reason, isByPeer: true))
            CloseFrame.withPayload(code, reason: "") { write(.close, $0) }
        } else if phase == .closing {
            connection.isCloseConfirmed = true
        }
        end()
    }

    private func violated(_ violation: WebSocketViolation) {
        connection.violated(violation)
        if phase == .open { CloseFrame.withPayload(violation.code, reason: violation.message) { write(.close, $0) } }
        // Closing with unread bytes would reset the connection, and the close frame could get lost.
        phase = .over
        flushWritten()
        context?.close(mode: .output, promise: nil)
    }

    func close(_ code: WebSocketCloseCode, _ reason: String) {
        guard phase == .open else { return drop() }
        phase = .closing
        CloseFrame.withPayload(code, reason: reason) { write(.close, $0) }
        // The peer's close frame has to be read.
        backlog = []
        setReading(true)
    }

    func drop() {
        phase = .over
        staged.clear()
        context?.close(promise: nil)
    }

    /// Ends the closing handshake: the server closes the TCP connection first (RFC 6455 section 7.1.1).
    private func end() {
        phase = .over
        flushWritten()
        context?.close(promise: nil)
    }
}

// MARK: - Writing

extension SocketChannelHandler: SocketOutlet {
    var isWritable: Bool { isChannelWritable && staged.readableBytes < Self.maximumStaged }

    func ping() { write(.ping, UnsafeRawBufferPointer(start: nil, count: 0)) }

    func send(_ message: WebSocketMessage) {
        guard phase == .open else { return }
        guard let compression, message.count >= compression.minimumBytes else {
            makeRoom(message.count)
            return staged.appendFrame(message)
        }
        frames?.append(message)
        stageCompressed()
    }

    func send(_ frame: SharedFrame) {
        guard phase == .open else { return }
        if let compression, frame.count >= compression.minimumBytes {
            guard !compression.sending.takesOverContext else { return send(frame.message) }
            hand(frame.frame(compression, pool: memory.pool))
        } else {
            hand(frame.plain)
        }
    }

    private func write(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer) {
        connection.recorder?.record(.sent, opcode.frameKind, bytes: payload.count)
        makeRoom(payload.count)
        staged.appendFrame(opcode, payload)
    }

    private func stageCompressed() {
        guard let count = frames?.count, count > 0 else { return }
        makeRoom(count)
        _ = frames?.withPending { staged.writeBytes($0) }
        frames?.consume(count)
    }

    /// Hands over a buffer that is shared with other connections.
    private func hand(_ buffer: ByteBuffer) {
        guard let context else { return }
        handStaged(context)
        memory.sentBytes += buffer.readableBytes
        context.write(wrapOutboundOut(buffer), promise: nil)
        mustFlush()
    }

    private func makeRoom(_ count: Int) {
        mustFlush()
        guard staged.capacity == 0, let context else { return }
        staged = memory.takeBuffer(context.channel, capacity: count + FrameBuffer.largestPlainHeader)
    }

    private func mustFlush() {
        guard !isWritten else { return }
        isWritten = true
        memory.mustFlush(self)
    }

    private func handStaged(_ context: ChannelHandlerContext) {
        guard staged.readableBytes > 0 else { return }
        memory.sentBytes += staged.readableBytes
        context.write(wrapOutboundOut(staged), promise: nil)
        memory.giveBack(staged)
        staged = ByteBuffer()
    }

    /// Hands over the data written in this turn, in one piece.
    func flushWritten() {
        isWritten = false
        guard let context else { return }
        let wasFull = staged.readableBytes >= Self.maximumStaged
        handStaged(context)
        context.flush()
        // Otherwise the channel reports when it is writable again.
        guard wasFull, phase == .open, context.channel.isWritable else { return }
        payPong()
        connection.hasRoom()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isChannelWritable = context.channel.isWritable
        if isChannelWritable {
            lane.beginTurn()
            payPong()
            connection.becameWritable()
            lane.endTurn()
        }
        context.fireChannelWritabilityChanged()
    }
}

extension Opcode {
    fileprivate var frameKind: SocketEvent.Frame.Kind {
        switch self {
        case .ping: .ping
        case .pong: .pong
        case .close: .close
        case .text: .text
        case .binary, .continuation: .binary
        }
    }
}
#endif
