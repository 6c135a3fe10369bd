#if Server
import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import NetTestServer

@Suite(.timeLimit(.minutes(1)))
struct FaultTests {
    @Test(arguments: [
        (ConnectionDrop.Point.beforeHead, ConnectionDrop.Form.close, 52 as Int32, ""),
        (.beforeHead, .reset, 56, ""), (.afterHead, .close, 18, ""), (.afterBodyBytes(3), .close, 18, "hel"),
        (.afterBodyBytes(3), .reset, 56, "hel"),
    ])
    func curlSeesTheDrop(
        _ point: ConnectionDrop.Point, _ form: ConnectionDrop.Form, _ code: Int32, _ text: String
    ) async throws {
        let response = StubResponse.text("hello").dropping(point, form: form)
        let server = try await TestServer.start([Stub(.get, "/", response)])
        let result = try await Tool.curl(server.baseURL.description)
        #expect(result.exitCode == code)
        #expect(result.text == text)
        try await server.wait { requests, _ in requests.first?.outcome == .dropped }
        await server.stop()
    }

    @Test func aClientThatGoesAwayDuringADelayIsLogged() async throws {
        let clock = TestClock()
        var configuration = TestServer.Configuration()
        configuration.clock = clock.netClock
        let stub = Stub(.get, "/slow", .text("late").delayed(by: .seconds(3600)))
        let server = try await TestServer.start([stub], configuration: configuration)
        var socket: RawSocket? = try RawSocket(port: server.port)
        socket?.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        try await clock.waitForSleepers(count: 1)
        socket = nil
        try await server.wait { requests, _ in requests.first?.outcome == .clientWentAway }
        #expect(clock.sleepers == 0)
        await server.stop()
    }

    @Test func delaysRunOnTheInjectedClock() async throws {
        let clock = TestClock()
        var configuration = TestServer.Configuration()
        configuration.clock = clock.netClock
        let first = StubEvent("one\ntwo", name: "n", id: "1", retry: .seconds(2))
        let events = [first, StubEvent("three", after: .seconds(60))]
        let server = try await TestServer.start([.serverSentEvents("/events", events)], configuration: configuration)
        let url = server.baseURL.description + "/events"
        let task = Task { try await Tool.curl("-N", url) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(60))
        #expect(try await task.value.text == "id: 1\nevent: n\nretry: 2000\ndata: one\ndata: two\n\ndata: three\n\n")
        try await server.wait { requests, _ in requests.first?.outcome == .completed }
        #expect(server.requests.first?.end == .seconds(60))
        await server.stop()
    }

    @Test func aReaderThatStopsHoldsTheBodyBack() async throws {
        var configuration = TestServer.Configuration()
        configuration.sendBufferBytes = 64 << 10
        let total: Int64 = 50_000_000
        let server = try await TestServer.start([.pattern(bytes: total)], configuration: configuration)
        let socket = try RawSocket(port: server.port, receiveBuffer: 64 << 10)
        let start = try await offPool {
            socket.send("GET /bytes HTTP/1.1\r\nHost: x\r\n\r\n")
            var count = 0
            while count < 65_536 { count += try socket.receive().count }
            return count
        }
        try await waitForStandstill { Int(server.statistics.bytesWritten) }
        let held = server.statistics.bytesWritten
        #expect(held >= Int64(start) - 1000, "\(held) bytes were written to a reader that stopped")
        #expect(held < 2_000_000, "\(held) bytes were written to a reader that stopped")
        let rest = try await offPool {
            var count = start
            while count < Int(total) { count += try socket.receive(1 << 20).count }
            return count
        }
        #expect(rest > Int(total))
        try await server.wait { requests, _ in requests.first?.outcome == .completed }
        #expect(server.requests.first?.bytesWritten == total)
        await server.stop()
    }

    @Test func aStubThatDoesNotReadHoldsTheSenderBack() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let stub = Stub.streaming(.post, "/slow") { _, body in
            for await _ in gate.stream { break }
            var count = 0
            for try await chunk in body { count += chunk.count }
            return .text("\(count)")
        }
        let server = try await TestServer.start([stub])
        let socket = try RawSocket(port: server.port)
        let sent = Counter()
        let sender = Task {
            try await offPool {
                socket.send("POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 50000000\r\n\r\n")
                for _ in 0..<500 {
                    socket.send([UInt8](repeating: 7, count: 100_000))
                    sent.add(100_000)
                }
                return try socket.receive { $0.contains("50000000") }
            }
        }
        try await server.wait { $1.requests == 1 }
        try await waitForStandstill { sent.value }
        #expect(server.statistics.bytesRead == 0)
        #expect(sent.value < 20_000_000, "\(sent.value) bytes were sent to a stub that does not read")
        gate.continuation.yield()
        #expect(try await sender.value.hasSuffix("50000000"))
        #expect(server.requests.first?.bodyBytes == 50_000_000)
        await server.stop()
    }

    @Test func aBodyAboveTheLimitGets413() async throws {
        var configuration = TestServer.Configuration()
        configuration.maximumBodyBytes = 1000
        let server = try await TestServer.start([.echo()], configuration: configuration)
        try await withFile(String(repeating: "x", count: 300_000)) { file in
            for framing in ["Content-Length: 300000", "Transfer-Encoding: chunked"] {
                let result = try await Tool.curl(
                    "-H", framing, "-H", "Expect:", "-w", " %{http_code}", "--data-binary", "@" + file,
                    server.baseURL.description + "/echo")
                #expect(result.text.hasSuffix(" 413"), "\(result.errors)")
            }
        }
        await server.stop()
    }

    @Test func aStubThatThrowsGets500() async throws {
        struct Odd: Error {}
        let server = try await TestServer.start([
            Stub(.get, "/odd") { _ in throw Odd() }, Stub(.get, "/file", .file("/nowhere/at/all")),
        ])
        for path in ["/odd", "/file"] {
            let result = try await Tool.curl("-w", " %{http_code}", server.baseURL.description + path)
            #expect(result.text.hasSuffix(" 500"))
        }
        for request in server.requests {
            var hasFailed = false
            if case .failed = request.outcome { hasFailed = true }
            #expect(hasFailed, "\(request.outcome)")
        }
        await server.stop()
    }

    @Test func aPromiseThatIsNotKeptClosesTheConnection() async throws {
        let response = StubResponse.text("hello").header(.contentLength, "9")
        let server = try await TestServer.start([Stub(.get, "/", response)])
        #expect(try await Tool.curl(server.baseURL.description).exitCode == 18)
        await server.stop()
    }
}

extension FaultTests {
    @Test func aResponseCannotCarryAFaultOfTheConnection() async throws {
        let server = try await TestServer.start([Stub(.get, "/", .text("hello")).faulting(.refused)])
        let result = try await Tool.curl("-w", " %{http_code}", server.baseURL.description)
        #expect(result.text.contains("ClosedPort"))
        #expect(result.text.hasSuffix(" 500"))
        try await server.wait { requests, _ in requests.first?.end != nil }
        #expect(server.requests.first?.outcome != .dropped)
        await server.stop()
    }

    @Test func aScheduleFailsTheSameRequestsInMemoryAndOnTheWire() async throws {
        // Without the faults that end a connection before a byte of the response: libcurl then sends the request again
        // if the connection had been used before.
        let pool: [Fault] = [
            .contentLength(.tooLong), .badChunk, .headerBomb(bytes: 1 << 20),
            .drop(ConnectionDrop(.insideHead)), .drop(ConnectionDrop(.afterBodyBytes(1))),
        ]
        let schedules = (0..<2).map { _ in FaultSchedule(seed: 11, among: pool) }
        let stubs = schedules.map { Stub(.get, "/", .text("a text of some length")).faulting($0) }
        let server = try await TestServer.start([stubs[0]])
        let real = HTTPClient(baseURL: server.baseURL)
        let mocked = HTTPClient(baseURL: "http://api.test", transport: MockTransport([stubs[1]]))
        for _ in 0..<30 {
            for client in [real, mocked] { _ = try? await client.send(Request<Bytes>("", serializer: .bytes)) }
        }
        #expect(schedules[0].history == schedules[1].history)
        #expect(schedules[0].history.count == 30)
        let outcomes = schedules[0].history.map { $0 == nil ? LoggedRequest.Outcome.completed : .dropped }
        try await server.wait { requests, _ in requests.map(\.outcome) == outcomes }
        await real.shutdown()
        await mocked.shutdown()
        await server.stop()
    }

    @Test func aMirrorPermitsTheBodyBeforeItAnswers() async throws {
        let server = try await TestServer.start([.mirror()])
        let result = try await Tool.curl(
            "-H", "Expect: 100-continue", "-d", "hello", server.baseURL.description + "/mirror")
        #expect(result.text == "hello", "\(result.errors)")
        await server.stop()
    }
}
#endif
