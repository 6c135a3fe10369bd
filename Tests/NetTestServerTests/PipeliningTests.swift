#if Server
import HTTPTypes
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

@Suite(.timeLimit(.minutes(1)))
struct PipeliningTests {
    private static func get(_ path: String, _ more: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: x\r\n\(more)\r\n"
    }

    /// Returns true if the responses are in the order of the requests in the received text.
    private static func areInOrder(_ marks: [String], in text: String) -> Bool {
        var rest = text[...]
        for mark in marks {
            guard let place = rest.firstRange(of: mark) else { return false }
            rest = rest[place.upperBound...]
        }
        return true
    }

    /// Values are returned immediately, and closures run in a task; on one connection neither overtakes the other.
    @Test func twentyRequestsInOneWriteAreAnsweredInOrder() async throws {
        let values = (0..<20).map { Stub(.get, PathTemplate("/value/\($0)"), .text("<\($0)>")) }
        let server = try await TestServer.start(
            values + [Stub(.get, "/made/{n}") { .text("<\($0.parameters["n"] ?? "")>") }])
        let kinds: [(Int) -> String] = [{ _ in "value" }, { _ in "made" }, { $0 % 3 == 1 ? "made" : "value" }]
        for kind in kinds {
            let socket = try RawSocket(port: server.port)
            let text = (0..<20).map { Self.get("/\(kind($0))/\($0)") }.joined()
            let answers = try await offPool {
                socket.send(text)
                return try socket.receive { $0.hasSuffix("<19>") }
            }
            #expect(Self.areInOrder((0..<20).map { "<\($0)>" }, in: answers))
        }
        // The client has the last response before the server has logged it as completed.
        try await server.wait { requests, _ in requests.count == 60 && requests.allSatisfy { $0.outcome == .completed }
        }
        await server.stop()
    }

    @Test func aSlowAnswerHoldsTheFastOnesBehindIt() async throws {
        let clock = TestClock()
        var configuration = TestServer.Configuration()
        configuration.clock = clock.netClock
        let server = try await TestServer.start(
            [
                Stub(.get, "/slow", .text("<slow>").delayed(by: .seconds(60))), Stub(.get, "/fast", .text("<fast>")),
                Stub(.get, "/made") { _ in .text("<made>") },
            ], configuration: configuration)
        let socket = try RawSocket(port: server.port)
        socket.send(["/fast", "/slow", "/fast", "/made", "/slow", "/fast"].map { Self.get($0) }.joined())
        for _ in 0..<2 {
            try await clock.waitForSleepers(count: 1)
            await clock.advance(by: .seconds(60))
        }
        let answers = try await offPool {
            var count = 0
            return try socket.receive { text in
                count = text.split(separator: "<fast>", omittingEmptySubsequences: false).count - 1
                return count == 3
            }
        }
        #expect(Self.areInOrder(["<fast>", "<slow>", "<fast>", "<made>", "<slow>", "<fast>"], in: answers))
        await server.stop()
    }

    @Test(arguments: ["/value", "/made", "/closing"])
    func nothingIsAnsweredAfterACloseWasAgreed(_ path: String) async throws {
        let server = try await TestServer.start([
            Stub(.get, "/value", .text("<1>")), Stub(.get, "/made") { _ in .text("<1>") },
            Stub(.get, "/closing", .text("<1>").header(.connection, "close")), Stub(.get, "/next", .text("<2>")),
        ])
        let socket = try RawSocket(port: server.port)
        let answers = try await offPool {
            socket.send(Self.get(path, path == "/closing" ? "" : "Connection: close\r\n") + Self.get("/next"))
            return try socket.receiveAll()
        }
        #expect(answers.contains("Connection: close\r\n"))
        #expect(answers.hasSuffix("<1>"))
        #expect(server.requests.map(\.target) == [path])
        await server.stop()
    }

    @Test func requestsBehindASlowOneWaitInTheKernel() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let server = try await TestServer.start([
            Stub(.get, "/slow") { _ in
                for await _ in gate.stream { break }
                return .text("<slow>")
            }, Stub(.get, "/fast", .text("<fast>")),
        ])
        let socket = try RawSocket(port: server.port)
        let sent = Counter()
        let total = 60_000_000
        let sender = Task {
            try await offPool {
                socket.send(Self.get("/slow"))
                let block = String(
                    repeating: Self.get("/fast", "X-Filler: \(String(repeating: "f", count: 900))\r\n"), count: 100)
                while sent.value < total {
                    socket.send(block)
                    sent.add(block.utf8.count)
                }
            }
        }
        try await server.wait { $1.requests == 1 }
        try await waitForStandstill { sent.value }
        #expect(sent.value < 20_000_000, "\(sent.value) bytes of requests were taken behind one that is not answered")
        #expect(server.statistics.requests == 1)
        await server.stop()
        gate.continuation.finish()
        try await sender.value
    }

    @Test func aClientThatReadsNoAnswersIsNotServedOn() async throws {
        var configuration = TestServer.Configuration()
        configuration.sendBufferBytes = 64 << 10
        let body = Bytes([UInt8](repeating: 97, count: 10_000))
        let server = try await TestServer.start([Stub(.get, "/value", .bytes(body))], configuration: configuration)
        let socket = try RawSocket(port: server.port, receiveBuffer: 64 << 10)
        let sent = Counter()
        let sender = Task {
            try await offPool {
                let block = String(repeating: Self.get("/value"), count: 1000)
                while sent.value < 60_000_000 {
                    socket.send(block)
                    sent.add(block.utf8.count)
                }
            }
        }
        try await server.wait { $1.requests > 20 }
        try await waitForStandstill { server.statistics.requests }
        #expect(
            server.statistics.bytesWritten < 3_000_000, "\(server.statistics.bytesWritten) bytes of answers were made")
        await server.stop()
        try await sender.value
    }
}
#endif
