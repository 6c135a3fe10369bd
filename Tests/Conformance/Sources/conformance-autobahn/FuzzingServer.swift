import Foundation
import NetCore
import NetSocket

/// A server that tests connecting clients, with the endpoints of Autobahn's fuzzing server.
struct FuzzingServer {
    private struct Information: Decodable { let id, description: String? }
    private struct Status: Decodable { let behavior: String }

    /// The limit for one case. Default 300 s, or NET_AUTOBAHN_CASE_SECONDS. Autobahn allows 480 s for its longest
    /// cases.
    private static let caseLimit = Duration.seconds(
        ProcessInfo.processInfo.environment["NET_AUTOBAHN_CASE_SECONDS"].flatMap { Int($0) } ?? 300)
    private static let controlLimit = Duration.seconds(20)

    let url: String
    let agent: String
    private let client = WebSocketClient()

    init(url: String, agent: String) {
        self.url = url
        self.agent = agent
    }

    /// Returns the number of cases; their numbers start at 1.
    func caseCount() async throws -> Int {
        let text = try await answer("getCaseCount")
        guard let count = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)), count >= 0 else {
            throw FuzzingServerError(description: "the server's number of cases is \"\(text)\"")
        }
        return count
    }

    /// Returns the ID of a case, such as `1.1.1`; its number if the server doesn't provide one.
    func id(ofCase number: Int) async -> String {
        let text = try? await answer("getCaseInfo", query: ["case": number, "agent": agent])
        let information = text.flatMap { try? JSONDecoder().decode(Information.self, from: Data($0.utf8)) }
        return information?.id ?? "\(number)"
    }

    /// Runs a case: echoes every message until the server has ended the WebSocket. Most cases end with an error, which
    /// only the server can judge.
    func run(case number: Int) async {
        try? await within(Self.caseLimit) {
            let socket = try await connect("runCase", query: ["case": number, "agent": agent])
            do {
                while true { try await socket.send(contentsOf: socket.receiveAll()) }
            } catch {
                // The closing handshake is part of the case: it can continue after an error.
                await socket.close()
            }
        }
    }

    /// Returns the server's verdict on a case that has been run, such as `OK`.
    func verdict(onCase number: Int) async throws -> String {
        let text = try await answer("getCaseStatus", query: ["case": number, "agent": agent])
        return (try? JSONDecoder().decode(Status.self, from: Data(text.utf8)).behavior) ?? text
    }

    /// Makes the server write its reports, and waits for that.
    func updateReports() async throws {
        try await within(Self.controlLimit) {
            let socket = try await connect("updateReports", query: ["agent": agent])
            // kosoku ends the connection without a closing handshake.
            while (try? await socket.receive()) != nil {}
        }
    }

    private func connect(_ path: String, query: QueryItems) async throws -> WebSocketConnection {
        var request = WebSocketRequest(url: "\(url)/\(path)", query: query, maximumMessageBytes: 64 << 20)
        request.compression = WebSocketCompression(minimumBytes: 0)
        return try await client.connect(request)
    }

    /// Returns the message that an endpoint responds with.
    private func answer(_ path: String, query: QueryItems = [:]) async throws -> String {
        try await within(Self.controlLimit) {
            let socket = try await connect(path, query: query)
            let message = try await socket.receive()
            await socket.close()
            guard let text = message.text else {
                throw FuzzingServerError(description: "\(path) answered with bytes")
            }
            return text
        }
    }

    private func within<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw FuzzingServerError(description: "nothing within \(limit)")
            }
            // Throws or returns the result of the task that ends first.
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}

struct FuzzingServerError: Error, CustomStringConvertible {
    let description: String
}
