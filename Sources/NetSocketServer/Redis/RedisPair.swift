#if Redis
internal import NIOCore
internal import NetCore

/// The two connections to a broker, and the broker's properties. When one connection ends, the engine closes the
/// other.
struct RedisPair: Sendable {
    /// The connection for commands.
    let commands: RedisConnection
    /// The connection for the channels of topics.
    let subscriptions: RedisConnection
    /// The ID of the broker's process. A different process may have lost writes of this one.
    let run: String
    /// True if, after a restart, the broker still has everything that it has confirmed.
    let isDurable: Bool
    private let hashes: [RedisScript: String]

    /// Opens both connections.
    ///
    /// - Parameters:
    ///   - onMessage: Called on the loop with each published message.
    ///   - onEnd: Called on the loop when one of the connections has ended, once for each; also if this function
    ///     throws.
    static func open(
        _ address: RedisAddress, on loop: any EventLoop, _ configuration: RedisConnection.Configuration,
        _ clock: NetClock, onMessage: @escaping @Sendable (_ channel: String, _ payload: Bytes) -> Void,
        onEnd: @escaping @Sendable (NetError) -> Void
    ) async throws(NetError) -> RedisPair {
        let commands = try await RedisConnection.open(
            address, on: loop, configuration: configuration, clock: clock, onMessage: { _, _ in }, onEnd: onEnd)
        do throws(NetError) {
            let (run, isDurable) = try await look(at: commands)
            var hashes: [RedisScript: String] = [:]
            for script in RedisScript.allCases {
                let reply = try await commands.call(RedisCommand("SCRIPT", "LOAD", script.source))
                hashes[script] = reply.text
            }
            let subscriptions = try await RedisConnection.open(
                address, on: loop, configuration: configuration, clock: clock, onMessage: onMessage, onEnd: onEnd)
            return RedisPair(
                commands: commands, subscriptions: subscriptions, run: run, isDurable: isDurable, hashes: hashes)
        } catch {
            commands.close()
            throw error
        }
    }

    func close() {
        commands.close()
        subscriptions.close()
    }

    // MARK: The broker

    /// Reads the broker's ID and durability. Throws if the broker is a replica or in a cluster.
    private static func look(at connection: RedisConnection) async throws(NetError) -> (run: String, isDurable: Bool) {
        var facts: [Substring: Substring] = [:]
        for section in ["server", "replication", "persistence"] {
            let text = try await connection.call(RedisCommand("INFO", section)).text ?? ""
            for line in text.split(whereSeparator: \.isNewline) {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2 { facts[parts[0]] = parts[1] }
            }
        }
        guard facts["role"] != "slave" else {
            throw NetError(
                .connect, phase: .connecting,
                message: "the broker at \(connection.address) is a replica; use the address of the primary")
        }
        guard let run = facts["run_id"], !run.isEmpty else {
            throw NetError(
                .protocolViolation, phase: .connecting,
                message: "the broker at \(connection.address) doesn't say its run_id in INFO server")
        }
        guard facts["redis_mode"] != "cluster" else {
            throw NetError(
                .unsupported, phase: .connecting,
                message: "the broker at \(connection.address) belongs to a cluster; use one without cluster mode")
        }
        let wasReplica = facts["master_replid2"].map { $0.contains { $0 != "0" } } ?? false
        guard facts["aof_enabled"] == "1", !wasReplica else { return (String(run), false) }
        return (String(run), await flushesAlways(connection))
    }

    /// Returns true if each write is on disk before it is confirmed; false if the user may not read the setting.
    private static func flushesAlways(_ connection: RedisConnection) async -> Bool {
        let reply = try? await connection.call(RedisCommand("CONFIG", "GET", "appendfsync"))
        return reply?.array?.last?.text == "always"
    }

    // MARK: Scripts

    /// Returns the command that runs a script.
    func command(_ script: RedisScript, keys: [String], arguments: [Bytes]) -> RedisCommand {
        make("EVALSHA", hashes[script] ?? "", keys, arguments)
    }

    /// Runs a script. Sends its source if the broker doesn't have it any more.
    func run(_ script: RedisScript, keys: [String], arguments: [Bytes]) async throws(NetError) -> RedisValue {
        do throws(NetError) {
            return try await commands.call(command(script, keys: keys, arguments: arguments))
        } catch {
            guard (error.underlying as? RedisError)?.kind == "NOSCRIPT" else { throw error }
        }
        return try await commands.call(make("EVAL", script.source, keys, arguments))
    }

    private func make(_ name: String, _ script: String, _ keys: [String], _ arguments: [Bytes]) -> RedisCommand {
        var command = RedisCommand(name, script, String(keys.count))
        for key in keys { command.append(key) }
        for argument in arguments { command.append(argument) }
        return command
    }
}
#endif
