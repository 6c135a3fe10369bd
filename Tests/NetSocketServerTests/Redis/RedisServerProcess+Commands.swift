#if Redis && os(Linux)
import NetCore
@testable import NetSocketServer
import TestSupport

extension RedisServerProcess {
    var url: String { "redis://127.0.0.1:\(port)" }

    /// Runs a command on a separate connection.
    @discardableResult
    func command(_ name: String, _ arguments: String...) async throws -> RedisValue {
        let link = try await RedisLink.open(self)
        defer { link.connection.close() }
        return try await link.connection.call(RedisCommand(name, arguments.map { Bytes($0.utf8) }))
    }
}
#endif
