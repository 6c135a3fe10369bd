#if Redis && os(Linux)
import NIOPosix
import NetCore
@testable import NetSocketServer
import TestSupport

extension RedisServerProcess {
    var url: String { "redis://127.0.0.1:\(port)" }

    /// Runs a command on a connection of its own.
    @discardableResult
    func command(_ name: String, _ arguments: String...) async throws -> RedisValue {
        let connection = try await RedisConnection.open(
            RedisAddress(url), on: MultiThreadedEventLoopGroup.singleton.next(), onMessage: { _, _ in },
            onEnd: { _ in })
        defer { connection.close() }
        return try await connection.call(RedisCommand(name, arguments.map { Bytes($0.utf8) }))
    }
}
#endif
