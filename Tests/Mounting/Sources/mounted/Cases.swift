import ConformanceSupport
import HTTPTypes
import NetCore
import NetHTTP
import NetSocket

/// What clients of an application find that a server is mounted in.
struct Cases: Sendable {
    let port: Int
    private let client = Client()

    init(port: Int) {
        self.port = port
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private func expect<Value: Equatable>(_ found: Value, _ wanted: Value) throws {
        if found != wanted { throw Failure(description: "found \(found) instead of \(wanted)") }
    }

    /// Runs a case within ten seconds.
    private func result(_ name: String, _ body: @escaping @Sendable () async throws -> Void) async -> CaseResult {
        do {
            try await withThrowingTaskGroup { group in
                defer { group.cancelAll() }
                group.addTask { try await body() }
                group.addTask {
                    try await Task.sleep(for: .seconds(10))
                    throw Failure(description: "it takes too long")
                }
                try await group.next()
            }
            print("ok   hummingbird: \(name)")
            return CaseResult(id: "hummingbird: \(name)", problem: nil)
        } catch {
            print("FAIL hummingbird: \(name): \(error)")
            return CaseResult(id: "hummingbird: \(name)", problem: "\(error)")
        }
    }

    private func chat(_ name: String?, path: String = "/socket") -> SocketClient {
        var configuration = SocketClient.Configuration(wire: .numberedJSON)
        configuration.delivery = SocketDelivery()
        return SocketClient("ws://127.0.0.1:\(port)\(path)", configuration: configuration) { request in
            if let name { request.bearer = name }
        }
    }

    private func text(_ path: String) async throws -> String {
        try await client.get("http://127.0.0.1:\(port)\(path)").text()
    }

    /// The status by which a handshake is refused.
    private func status(_ name: String?, path: String) async throws -> Int? {
        do {
            var request = WebSocketRequest("ws://127.0.0.1:\(port)\(path)")
            if let name { request.bearer = name }
            let connection = try await WebSocketClient().connect(request)
            await connection.close()
            return nil
        } catch let error as NetError {
            return error.context.status?.code
        }
    }
}
