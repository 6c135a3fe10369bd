#if Redis
internal import NIOCore
internal import NetCore

/// One connection to a Redis or Valkey broker, on one event loop (RESP2).
///
/// Any number of commands may wait for their replies, which arrive in the order of the commands. Once a `SUBSCRIBE` is
/// confirmed, the messages on its channels go to `onMessage`. Its owner calls ``check(now:)`` about once a second, and
/// ``close()`` in the end.
final class RedisConnection: Sendable {
    struct Configuration: Sendable {
        /// The most time until the broker has accepted the connection and the password. Default 5 s.
        var connectTimeout = Duration.seconds(5)
        /// The most time until a reply arrives. Default 5 s.
        var commandTimeout = Duration.seconds(5)
        /// The most commands without a reply. Default 100,000.
        var maximumPendingCommands = 100_000
        /// The most bytes of commands without a reply. Default 64 MiB, at most 1 GiB.
        var maximumPendingBytes = 64 << 20
        /// The most bytes of one reply, on the wire and in memory. Default 64 MiB.
        var maximumReplyBytes = 64 << 20
        /// The name of the connection, as the broker's `CLIENT LIST` shows it; nil for none.
        var name: String?
        /// The path of a PEM file with the authorities that may have signed the broker's certificate; nil for those of the
        /// system.
        var trustRoots: String?
    }

    typealias Completion = @Sendable (Result<RedisValue, NetError>) -> Void

    let address: RedisAddress
    let loop: any EventLoop
    private let handler: RedisChannelHandler
    private let maximumBytes: Int

    init(
        _ address: RedisAddress, on loop: any EventLoop, _ configuration: Configuration, _ handler: RedisChannelHandler
    ) {
        self.address = address
        self.loop = loop
        self.handler = handler
        maximumBytes = min(configuration.maximumPendingBytes, RedisCommand.maximumBytes)
    }

    /// Sends a command, from any thread. Commands that are sent on the event loop, or by one thread, keep their order.
    ///
    /// - Parameters:
    ///   - confirmations: The number of replies: `SUBSCRIBE` gets one for each channel.
    ///   - completion: Called once, on the event loop, with the last reply. An error reply is a success here. Fails with
    ///     `.limited` if too many commands wait, and with `.connectionLost` once the connection has ended: with the phase
    ///     `.sending` if the broker didn't get the command, and `.receiving` if it may have run it. A command that can't
    ///     be sent fails before this function returns, if it's called on the event loop.
    func send(_ command: RedisCommand, confirmations: Int = 1, _ completion: @escaping Completion) {
        let encoded = command.maximumByteCount <= maximumBytes ? command.encoded() : nil
        let kind = RedisReplyQueue.Kind(command)
        onLoop { handler in handler.send(encoded, kind, confirmations: confirmations, completion) }
    }

    /// Sends a command and waits for its reply.
    ///
    /// Throws an error reply as the error that it means, and the errors of ``send(_:confirmations:_:)``. When the task is
    /// cancelled, it throws `.cancelled` immediately: with the phase `.receiving` if the command was written, and then the
    /// reply is dropped when it arrives.
    @discardableResult
    func call(_ command: RedisCommand, confirmations: Int = 1) async throws(NetError) -> RedisValue {
        let call = RedisCall()
        let encoded = command.maximumByteCount <= maximumBytes ? command.encoded() : nil
        let kind = RedisReplyQueue.Kind(command)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                call.wait(continuation)
                onLoop { handler in
                    guard call.begin() else { return }
                    handler.send(encoded, kind, confirmations: confirmations) { call.finish($0) }
                }
            }
        } onCancel: {
            call.cancel(address)
        }
        let value = try result.get()
        if let error = value.error { throw error.netError(from: address) }
        return value
    }

    /// The number of commands without a reply. On the event loop.
    var pendingCommands: Int {
        loop.assertInEventLoop()
        return handler.pendingCommands
    }

    /// Ends the connection with `.timeout` if the oldest command waits for more than the command timeout. On the event
    /// loop.
    func check(now: Duration) {
        loop.assertInEventLoop()
        handler.check(now: now)
    }

    /// Ends the connection with `.shutdown`, from any thread. Does nothing if it has ended.
    func close() {
        let error = NetError(
            .shutdown, phase: .receiving, message: "the connection to the broker at \(address) was closed here")
        onLoop { handler in handler.finish(error) }
    }

    private func onLoop(_ body: @escaping @Sendable (RedisChannelHandler) -> Void) {
        if loop.inEventLoop { return body(handler) }
        loop.execute { [handler] in body(handler) }
    }
}
#endif
