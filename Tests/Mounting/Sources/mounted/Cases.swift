import ConformanceSupport
import HTTPTypes
import NetCore
import NetHTTP
import NetSocket

/// The checks of clients of an application that a server is mounted in.
struct Cases: Sendable {
    let port: Int
    private let client = HTTPClient(configuration: .init())

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
        try await client.send(Request<String>(url: "http://127.0.0.1:\(port)\(path)"))
    }

    /// Returns the status with which a handshake is rejected.
    private func status(_ name: String?, path: String) async throws -> Int? {
        do {
            var request = WebSocketRequest(url: "ws://127.0.0.1:\(port)\(path)")
            if let name { request.bearer = name }
            let connection = try await WebSocketClient().connect(request)
            await connection.close()
            return nil
        } catch {
            return error.status
        }
    }
}

extension Cases {
    /// Runs all cases; the last one ends the application by calling `stop`.
    func run(stop: @escaping @Sendable () -> Void) async -> [CaseResult] {
        [
            await result("its own routes answer") { try await ownRoutes() },
            await result("a command and its reply") { try await command() },
            await result("a push to the others in a channel") { try await push() },
            await result("a large message") { try await large() },
            await result("many connections") { try await many() },
            await result("refused handshakes") { try await refusals() },
            await result("the application ends") { try await end(stop) },
        ]
    }

    private func ownRoutes() async throws {
        try expect(try await text("/hello"), "hello")
        try expect(try await text("/hello"), "hello")
        let url = "http://127.0.0.1:\(port)/length"
        let body = RequestBody.text(String(repeating: "x", count: 100_000))
        let length = try await client.send(Request<String>(url: url, method: .post, body: body))
        try expect(length, "100000")
    }

    private func command() async throws {
        try await chat("ada").withConnection { ada in
            let room = try await ada.join("room:1")
            try expect(try await room.send(Chat.Say(text: "hello")).length, 5)
        }
    }

    private func push() async throws {
        try await chat("ada").withConnection { ada in
            try await chat("bob").withConnection { bob in
                let (here, there) = (try await ada.join("room:2"), try await bob.join("room:2"))
                var messages = there.pushes(of: Chat.Message.self).makeAsyncIterator()
                try await here.send(Chat.Say(text: "hello"))
                try expect(try await messages.next(), Chat.Message(from: "ada", text: "hello"))
                // The application's own routes still work.
                try expect(try await text("/hello"), "hello")
            }
        }
    }

    private func large() async throws {
        try await chat("ada").withConnection { ada in
            let room = try await ada.join("room:3")
            try expect(try await room.send(Chat.Say(text: String(repeating: "x", count: 500_000))).length, 500_000)
        }
    }

    private func many() async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 { group.addTask { try await command() } }
            try await group.waitForAll()
        }
    }

    private func refusals() async throws {
        try expect(try await status(nil, path: "/socket"), 401)
        try expect(try await status("ada", path: "/nowhere"), 404)
        try expect(try await status("ada", path: "/socket"), nil)
    }

    /// An open session is notified that the server is going away.
    private func end(_ stop: @escaping @Sendable () -> Void) async throws {
        let ada = chat("ada")
        try await ada.withConnection { ada in
            let states = ada.states
            let room = try await ada.join("room:4")
            try await room.send(Chat.Say(text: "hello"))
            stop()
            for try await state in states {
                if case .waiting = state { return }
            }
            throw Failure(description: "the session has ended")
        }
    }
}
