#if Redis
internal import NIOCore
internal import NetCore

extension RedisConnection {
    /// Connects to a broker, with TLS if the address requires it, and logs in.
    ///
    /// If this function throws, the connection is closed. Canceling the task also closes it.
    ///
    /// - Parameters:
    ///   - loop: The event loop of the connection.
    ///   - onMessage: Called on the loop with each message on a channel that the connection subscribes to.
    ///   - onEnd: Called on the loop, once and last, when the connection has ended; not if this function throws. It
    ///     may be called before this function returns.
    static func open(
        _ address: RedisAddress, on loop: any EventLoop, configuration: Configuration = Configuration(),
        clock: NetClock = .system, onMessage: @escaping @Sendable (_ channel: String, _ payload: Bytes) -> Void,
        onEnd: @escaping @Sendable (NetError) -> Void
    ) async throws(NetError) -> RedisConnection {
        let tls: RedisTLS? =
            if address.isSecure { try RedisTLS(address, trustRoots: configuration.trustRoots) } else { nil }
        let handler = RedisChannelHandler(address, configuration, clock, onMessage: onMessage)
        let connection = RedisConnection(address, on: loop, configuration, handler)
        let attempt = RedisAttempt(address, configuration, handler, tls)
        let result = await withTaskGroup(of: Outcome.self) { group -> Result<Void, NetError> in
            group.addTask { .connected(await Self.connect(connection, attempt, configuration, onEnd: onEnd)) }
            group.addTask { .timed((try? await clock.sleep(for: configuration.connectTimeout)) != nil) }
            var isLate = false
            var result: Result<Void, NetError> = .failure(attempt.cancelled)
            for await outcome in group {
                switch outcome {
                case .connected(let outcome): result = outcome
                case .timed(let hasPassed): isLate = hasPassed
                }
                group.cancelAll()
            }
            // A connection that was handed over at the last moment still counts.
            if isLate, case .failure = result { result = .failure(attempt.timeout) }
            return result
        }
        do throws(NetError) {
            try result.get()
        } catch {
            attempt.close()
            throw error
        }
        return connection
    }

    private enum Outcome {
        case connected(Result<Void, NetError>)
        case timed(_ hasPassed: Bool)
    }

    private static func connect(
        _ connection: RedisConnection, _ attempt: RedisAttempt, _ configuration: Configuration,
        onEnd: @escaping @Sendable (NetError) -> Void
    ) async -> Result<Void, NetError> {
        await withTaskCancellationHandler {
            do throws(NetError) {
                try await attempt.connect(on: connection.loop)
                try await connection.logIn(configuration)
                try await attempt.handOver(on: connection.loop, onEnd: onEnd)
                return .success(())
            } catch {
                return .failure(attempt.cause(of: error))
            }
        } onCancel: {
            attempt.close()
        }
    }

    /// Authenticates, and waits until the broker accepts commands.
    private func logIn(_ configuration: Configuration) async throws(NetError) {
        if let password = address.password {
            let user = address.user.map { [$0] } ?? []
            let command = RedisCommand("AUTH", (user + [password]).map { Bytes($0.utf8) })
            try await call(command, explaining: "didn't accept the user and password", as: .authentication)
        }
        if address.database != 0 {
            let command = RedisCommand("SELECT", String(address.database))
            try await call(command, explaining: "has no database \(address.database)", as: .invalidRequest)
        }
        if let name = configuration.name {
            let command = RedisCommand("CLIENT", "SETNAME", name)
            try await call(command, explaining: "didn't accept the name of the connection", as: .invalidRequest)
        }
        try await call(RedisCommand("PING"), explaining: "isn't ready to serve", as: .connect)
    }

    /// Runs a command of the handshake. An unknown error reply is thrown as an error with this text and code.
    private func call(
        _ command: RedisCommand, explaining text: String, as code: NetError.Code
    ) async throws(NetError) {
        do throws(NetError) {
            try await call(command)
        } catch {
            guard let reply = error.underlying as? RedisError else { throw error }
            // If the user may not PING, the reply still shows that the broker is serving.
            if command.name == "PING", reply.kind == "NOPERM" { return }
            throw reply.refusal(from: address, as: code, reason: text)
        }
    }
}
#endif
