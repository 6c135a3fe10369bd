#if Redis
internal import NIOCore
internal import NetCore

/// One connection to a Redis or Valkey broker, on one event loop (RESP2).
///
/// Any number of commands may wait for their replies, which arrive in the order of the commands. Once a `SUBSCRIBE` is
/// confirmed, the messages on its channels are passed to `onMessage`. The owner calls ``check(now:)`` about once a
/// second, and finally ``close()``.
final class RedisConnection: Sendable {
    struct Configuration: Sendable {
        /// The time limit for the connection, including authentication. Default 5 s.
        var connectTimeout = Duration.seconds(5)
        /// The time limit for a reply. Default 5 s.
        var commandTimeout = Duration.seconds(5)
        /// The maximum number of commands without a reply. Default 100,000.
        var maximumPendingCommands = 100_000
        /// The maximum size of commands without a reply, in bytes. Default 64 MiB, at most 1 GiB.
        var maximumPendingBytes = 64 << 20
        /// The maximum size of one reply in bytes, on the wire and in memory. Default 64 MiB.
        var maximumReplyBytes = 64 << 20
        /// The name of the connection, as the broker's `CLIENT LIST` shows it; nil for none.
        var name: String?
        /// The path of a PEM file with the certificate authorities that are trusted to sign the broker's certificate;
        /// nil for those of the system.
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

    /// Sends a command, from any thread. Commands sent on the event loop, or by one thread, keep their order.
    ///
    /// - Parameters:
    ///   - confirmations: The number of replies: `SUBSCRIBE` gets one for each channel.
    ///   - completion: Called once, on the event loop, with the last reply. An error reply counts as a success here.
    ///     Fails with `.limited` if too many commands are waiting, and with `.connectionLost` once the connection has
    ///     ended: with the phase `.sending` if the broker didn't receive the command, and `.receiving` if it may have
    ///     run it. A command that can't be sent fails before this function returns, if it's called on the event loop.
    func send(_ command: RedisCommand, confirmations: Int = 1, _ completion: @escaping Completion) {
        let encoded = command.maximumByteCount <= maximumBytes ? command.encoded() : nil
        let kind = RedisReplyQueue.Kind(command)
        onLoop { handler in handler.send(encoded, kind, confirmations: confirmations, completion) }
    }

    /// Sends a command and waits for its reply.
    ///
    /// Throws an error reply as the corresponding error, and the errors of ``send(_:confirmations:_:)``. If the task
    /// is cancelled, it throws `.cancelled` immediately. If the command was already written, the phase is `.receiving`,
    /// and the reply is dropped when it arrives.
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

    /// Ends the connection with `.timeout` if the oldest command has waited longer than the command timeout. On the
    /// event loop.
    func check(now: Duration) {
        loop.assertInEventLoop()
        handler.check(now: now)
    }

    /// Ends the connection with `.shutdown`, from any thread. Has no effect if it has already ended.
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
