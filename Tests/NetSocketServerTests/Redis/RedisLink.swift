#if Redis && os(Linux)
import NIOCore
import NIOPosix
import NetCore
import TestSupport
import Testing

@testable import NetSocketServer

/// A connection to a broker, and its notifications to its owner.
struct RedisLink: Sendable {
    let connection: RedisConnection
    let messages: Locked<[String]>
    let ends: Locked<[NetError]>

    static func open(
        _ url: String, clock: NetClock = .system, _ change: (inout RedisConnection.Configuration) -> Void = { _ in }
    ) async throws -> RedisLink {
        var configuration = RedisConnection.Configuration()
        // Many tests run concurrently, and a task may wait a long time for a thread.
        (configuration.connectTimeout, configuration.commandTimeout) = (.seconds(60), .seconds(60))
        change(&configuration)
        let (messages, ends) = (Locked<[String]>([]), Locked<[NetError]>([]))
        let connection = try await RedisConnection.open(
            RedisAddress(url), on: MultiThreadedEventLoopGroup.singleton.next(), configuration: configuration,
            clock: clock,
            onMessage: { channel, payload in
                messages.change { $0.append("\(channel): \(String(decoding: payload, as: UTF8.self))") }
            },
            onEnd: { error in ends.change { $0.append(error) } })
        return RedisLink(connection: connection, messages: messages, ends: ends)
    }

    static func open(
        _ server: RedisServerProcess, clock: NetClock = .system,
        _ change: (inout RedisConnection.Configuration) -> Void = { _ in }
    ) async throws -> RedisLink {
        try await open("redis://127.0.0.1:\(server.port)", clock: clock, change)
    }

    /// Opens a connection, which must fail.
    static func failure(
        _ url: String, clock: NetClock = .system, _ change: (inout RedisConnection.Configuration) -> Void = { _ in }
    ) async -> NetError? {
        do {
            let link = try await open(url, clock: clock, change)
            link.connection.close()
            return nil
        } catch {
            return error as? NetError
        }
    }

    /// Calls a command that consists of words.
    @discardableResult
    func call(_ words: String..., confirmations: Int = 1) async throws -> RedisValue {
        let arguments = words.dropFirst().map { Bytes($0.utf8) }
        return try await connection.call(RedisCommand(words[0], arguments), confirmations: confirmations)
    }

    /// Runs a closure on the loop.
    func onLoop<Value: Sendable>(_ body: @escaping @Sendable (RedisConnection) -> Value) async throws -> Value {
        try await connection.loop.submit { [connection] in body(connection) }.get()
    }

    func pending() async throws -> Int { try await onLoop { $0.pendingCommands } }

    func wait(until condition: () async throws -> Bool) async rethrows {
        while try await !condition(), !Task.isCancelled { await Task.yield() }
    }

    func waitForEnd() async -> NetError? {
        await wait { !ends.value.isEmpty }
        return ends.value.first
    }

    /// Closes the connection, whose owner must be notified exactly once.
    func close() async throws {
        connection.close()
        _ = await waitForEnd()
        try await connection.loop.submit {}.get()
        #expect(ends.value.count == 1)
    }
}
#endif
