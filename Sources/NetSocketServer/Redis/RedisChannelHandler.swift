#if Redis
internal import NIOCore
internal import NetCore

/// Writes commands to a broker, and matches each reply to its command.
///
/// `@unchecked Sendable`: only used on the channel's event loop.
final class RedisChannelHandler: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let address: RedisAddress
    private let configuration: RedisConnection.Configuration
    private let clock: NetClock
    /// nil after the connection has ended.
    private var onMessage: (@Sendable (_ channel: String, _ payload: Bytes) -> Void)?
    /// nil until the connection is handed over, and after it has ended.
    private var onEnd: (@Sendable (NetError) -> Void)?

    private var context: ChannelHandlerContext?
    private let reader: RedisReader
    private var queue = RedisReplyQueue()
    /// The encoded commands of this turn.
    private var staged = ByteBuffer()
    /// The number of the queue's last commands that are staged but not yet written.
    private var stagedCount = 0
    /// The reason the connection ended; nil while it's open.
    private(set) var end: NetError?

    var pendingCommands: Int { queue.count }

    init(
        _ address: RedisAddress, _ configuration: RedisConnection.Configuration, _ clock: NetClock,
        onMessage: @escaping @Sendable (_ channel: String, _ payload: Bytes) -> Void
    ) {
        self.address = address
        self.configuration = configuration
        self.clock = clock
        self.onMessage = onMessage
        reader = RedisReader(maximumReplyBytes: configuration.maximumReplyBytes)
    }

    /// Hands the connection over to its owner. `onEnd` notifies the owner when it ends. Throws its error if it has
    /// already ended.
    func handOver(onEnd: @escaping @Sendable (NetError) -> Void) throws {
        if let end { throw end }
        self.onEnd = onEnd
    }

    // MARK: Writing

    /// Writes a command, or fails it.
    func send(
        _ encoded: ByteBuffer?, _ kind: RedisReplyQueue.Kind, confirmations: Int,
        _ completion: @escaping RedisReplyQueue.Completion
    ) {
        guard end == nil, let context else { return completion(.failure(ended(phase: .sending))) }
        guard var encoded, queue.count < configuration.maximumPendingCommands,
            encoded.readableBytes <= configuration.maximumPendingBytes - queue.bytes
        else { return completion(.failure(full)) }
        queue.append(
            RedisReplyQueue.Entry(
                kind: kind, bytes: encoded.readableBytes, since: clock.now(), confirmations: confirmations,
                completion: completion))
        if staged.readableBytes == 0 { staged = encoded } else { staged.writeBuffer(&encoded) }
        stagedCount += 1
        // The first command of a turn also flushes the commands that follow it.
        if stagedCount == 1 { context.eventLoop.execute { self.flush() } }
    }

    private func flush() {
        guard end == nil, stagedCount > 0, let context else { return }
        let commands = staged
        staged = ByteBuffer()
        stagedCount = 0
        context.writeAndFlush(wrapOutboundOut(commands), promise: nil)
    }

    private var full: NetError {
        NetError(
            .limited, phase: .sending,
            message: "\(queue.count) commands (\(queue.bytes) bytes) are waiting for the broker at \(address), "
                + "which is the maximum; send less, or raise the limits of pending commands")
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        while end == nil, let piece = bytes.readSlice(length: min(RedisReader.piece, bytes.readableBytes)),
            piece.readableBytes > 0
        {
            piece.withUnsafeReadableBytes { reader.feed($0) }
            takeReplies()
        }
    }

    private func takeReplies() {
        do throws(RedisReader.Failure) {
            while end == nil, let value = try reader.next() { take(value) }
        } catch {
            violated(error.code, error.reason)
        }
    }

    private func take(_ value: RedisValue) {
        switch queue.match(value) {
        case .last(let completion): completion(.success(value))
        case .confirmation: break
        case .message(let channel, let payload): onMessage?(channel, payload)
        case .violation(let reason):
            // A broker may refuse a connection before any command, for example if there are too many connections.
            if onEnd == nil, let error = value.error { return finish(error.refusal(from: address)) }
            violated(.protocolViolation, reason)
        }
    }

    private func violated(_ code: NetError.Code, _ reason: String) {
        finish(
            NetError(
                code, phase: .receiving,
                message: "the broker at \(address) \(reason); check that Redis or Valkey listens there"))
    }

    // MARK: Ending

    /// Ends the connection if its oldest command has waited too long.
    func check(now: Duration) {
        guard let oldest = queue.oldest, now - oldest > configuration.commandTimeout else { return }
        finish(
            NetError(
                .timeout, phase: .waiting,
                message: "the broker at \(address) has not replied for \(configuration.commandTimeout.inSeconds) s; "
                    + "it's overloaded or unreachable"))
    }

    /// Ends the connection: fails all commands, then notifies the owner.
    func finish(_ error: NetError) {
        guard end == nil else { return }
        end = error
        context?.close(promise: nil)
        let entries = queue.removeAll()
        let written = entries.count - stagedCount
        staged = ByteBuffer()
        stagedCount = 0
        for (index, entry) in entries.enumerated() {
            entry.completion(.failure(ended(phase: index < written ? .receiving : .sending)))
        }
        onMessage = nil
        onEnd.take()?(error)
    }

    /// The error of a command without a reply; with the phase `.receiving`, the broker may have run it.
    private func ended(phase: NetError.Phase) -> NetError {
        NetError(
            .connectionLost, phase: phase,
            message: "the connection to the broker at \(address) ended"
                + (phase == .receiving ? " before its reply; the command may have been run" : "")
                + (end.map { " (\($0.message))" } ?? ""), underlying: end)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        closedByBroker()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        closedByBroker()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(RedisTLS.error(error, from: address) ?? lost(error))
    }

    private func closedByBroker() {
        guard end == nil else { return }
        finish(lost(nil))
    }

    private func lost(_ cause: (any Error)?) -> NetError {
        NetError(
            .connectionLost, phase: .receiving,
            message: "the broker at \(address) closed the connection"
                + (cause.map { " (\($0))" } ?? ""), underlying: cause)
    }
}
#endif
