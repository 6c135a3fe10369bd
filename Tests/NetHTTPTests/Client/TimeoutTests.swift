#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct TimeoutTests {
    private func request(_ path: Path, _ timeouts: Timeouts) -> Request<Bytes> {
        Request(path, options: RequestOptions(timeouts: timeouts), serializer: .bytes)
    }

    private func fails(_ fixture: Fixture, _ request: Request<Bytes>) async throws -> NetError {
        try await failure { try await fixture.client.send(request) }
    }

    private let slow = [
        Stub(.get, "/late", .text("late").delayed(by: .seconds(30))),
        Stub.drip(count: 100, every: .milliseconds(50)),
        Stub(.get, "/stuck", .chunks([StubChunk("a"), StubChunk("b", after: .seconds(30))])),
    ]

    @Test(arguments: [Wire.plain, .http2]) func theFirstByteComesTooLate(wire: Wire) async throws {
        try await Fixture.run(slow, over: wire) { fixture in
            let error = try await fails(fixture, request("late", Timeouts(firstByte: .seconds(1))))
            #expect(error.code == .timeout)
            #expect(error.phase == .waiting)
            #expect(error.message.contains("1.000 s"))
            #expect(try #require(error.elapsed) < .seconds(10))
            try await fixture.server.wait { requests, _ in requests.last?.outcome == .clientWentAway }
        }
    }

    /// Each waits for its own limit: one that ends later than another with a longer limit has waited twice.
    @Test(arguments: [Wire.plain, .tls, .http2]) func sentBytesDoNotExtendTheFirstByteTimeout(wire: Wire) async throws {
        let silent = Stub.streaming(.post, "/silent") { _, body in
            for try await _ in body {}
            try await Task.sleep(for: .seconds(60))
            return .text("late")
        }
        try await Fixture.run(slow + [silent], over: wire) { fixture in
            let ended = Locked<[String]>([])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (name, count) in [("small", 1), ("large", 200_000), ("none", 0)] {
                    group.addTask {
                        var request = request("silent", Timeouts(firstByte: .seconds(2), stall: .seconds(30)))
                        request.method = .post
                        request.body = .bytes(BytePattern.bytes(from: 0, count: count))
                        let error = try await fails(fixture, request)
                        #expect(error.code == .timeout, "\(error)")
                        #expect(error.phase == .waiting, "\(error)")
                        ended.change { $0.append(name) }
                    }
                }
                group.addTask {
                    _ = try await fails(fixture, request("late", Timeouts(firstByte: .milliseconds(3800))))
                    ended.change { $0.append("longer") }
                }
                try await group.waitForAll()
            }
            #expect(ended.value.count == 4)
            #expect(ended.value.last == "longer")
        }
    }

    @Test func theBodyStandsStill() async throws {
        try await Fixture.run(slow) { fixture in
            let error = try await fails(fixture, request("stuck", Timeouts(stall: .milliseconds(200))))
            #expect(error.code == .timeout)
            #expect(error.phase == .receiving)
        }
    }

    @Test func aBodyThatDripsPassesTheStallButNotTheTotal() async throws {
        try await Fixture.run(slow) { fixture in
            let error = try await fails(
                fixture, request("drip", Timeouts(stall: .seconds(5), total: .seconds(4))))
            #expect(error.code == .timeout)
            #expect(error.phase == .receiving)
            #expect(error.message.contains("total timeout of 4.000 s"))
        }
    }

    @Test func aReaderThatSleepsIsNoSilentServer() async throws {
        try await Fixture.run([.pattern()]) { fixture in
            var request = request("bytes", Timeouts(stall: .seconds(3)))
            request.query = [QueryItem("bytes", 8 << 20)]
            let response = try await fixture.client.stream(request)
            // Real time on purpose: longer than the stall limit, with the transfer paused.
            try await Task.sleep(for: .seconds(4))
            var count = 0
            for try await chunk in response.body { count += chunk.count }
            #expect(count == 8 << 20)
        }
    }

    @Test(arguments: Wire.allCases) func aBodyThatGoesOutSlowlyIsNoSilentServer(wire: Wire) async throws {
        let slow = Stub.streaming(.post, "/slow") { _, body in
            // Real time on purpose: reading takes longer than the timeout for the first byte, in shorter steps, and so
            // does reading the bytes in the kernel's buffers at the end.
            var count = 0
            for try await chunk in body {
                count += chunk.count
                if count > 4 << 20 {
                    count = 0
                    try await Task.sleep(for: .milliseconds(700))
                }
            }
            return .text("done")
        }
        try await Fixture.run([slow], over: wire) { fixture in
            var request = Request<String>(
                "slow", method: .post, body: .bytes(BytePattern.bytes(from: 0, count: 24 << 20)), serializer: .string)
            request.options.timeouts = Timeouts(firstByte: .seconds(3), stall: .seconds(3))
            let answer = try await fixture.client.send(request)
            #expect(answer == "done")
        }
    }

    @Test(arguments: [Wire.plain, .http2]) func aServerThatStopsReadingIsAStall(wire: Wire) async throws {
        let deaf = Stub.streaming(.post, "/deaf") { _, _ in
            try await Task.sleep(for: .seconds(60))
            return .text("late")
        }
        try await Fixture.run([deaf], over: wire) { fixture in
            let bytes = BytePattern.bytes(from: 0, count: 64 << 20)
            for body in [
                RequestBody.bytes(bytes),
                .stream(
                    AsyncStream(Bytes.self) {
                        $0.yield(bytes)
                        $0.finish()
                    }),
            ] {
                var request = Request<Bytes>("deaf", method: .post, body: body, serializer: .bytes)
                request.options.timeouts = Timeouts(firstByte: .seconds(30), stall: .seconds(1))
                let error = try await fails(fixture, request)
                #expect(error.code == .timeout)
                #expect(error.phase == .sending)
                #expect(error.message.contains("stall timeout"))
            }
        }
    }

    @Test func aHandshakeThatHangsMeetsTheConnectTimeOut() async throws {
        let peer = try ScriptedPeer { connection, _ in connection.waitForClose() }
        let client = HTTPClient(baseURL: "https://127.0.0.1:\(peer.port)", transport: CurlTransport())
        let errors = try await withThrowingTaskGroup(of: NetError.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await failure {
                        try await client.send(request("x", Timeouts(connect: .milliseconds(800))))
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for error in errors {
            #expect(error.code == .timeout)
            #expect(error.phase == .securing || error.phase == .connecting)
            #expect(error.message.contains("connect timeout"))
        }
        await client.shutdown()
        peer.stop()
    }

    @Test func waitingInLineIsNoSilentServer() async throws {
        let gate = Gate()
        let stubs = [
            Stub(.get, "/third", .text("b")),
            Stub(.get, "/held") { _ in
                await gate.wait()
                return .text("a")
            },
        ]
        try await Fixture.run(stubs, with: .transport { $0.maximumTransfers = 2 }) { fixture in
            defer { gate.open() }
            async let first = fixture.client.send(request("held", Timeouts(firstByte: nil)))
            async let second = fixture.client.send(request("held", Timeouts(firstByte: nil)))
            try await fixture.server.wait { requests, _ in requests.count == 2 }
            async let third = fixture.client.response(request("third", Timeouts(firstByte: .seconds(2))))
            // It stays in the queue until the gate opens, so this loop ends.
            while fixture.transport.statistics.queuedTransfers == 0 { try await Task.sleep(for: .milliseconds(5)) }
            // Real time on purpose: longer than the limit for its first byte.
            try await Task.sleep(for: .milliseconds(2200))
            gate.open()
            let response = try await third
            #expect(response.value.count == 1)
            let queued = try #require(response.metrics?.queued)
            let firstByte = try #require(response.metrics?.firstByte)
            #expect(queued >= .seconds(2))
            #expect(queued < firstByte)
            #expect(try await (first.count, second.count) == (1, 1))
        }
    }

    /// A head of which a line arrives every 100 ms: each is a sign of life, but the head must end.
    @Test(arguments: ["", "HTTP/1.1 103 Early Hints\r\n\r\n"]) func aHeadThatDripsIsGivenUp(before: String) async throws
    {
        let peer = try ScriptedPeer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send(before + "HTTP/1.1 200 OK\r\n")
            for number in 0..<200 {
                guard connection.send(Array("X-Line-\(number): a\r\n".utf8)) else { return }
                usleep(100_000)
            }
            connection.send("Content-Length: 0\r\n\r\n")
        }
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport())
        let error = try await failure {
            try await client.send(request("x", Timeouts(firstByte: .seconds(1), stall: .seconds(1))))
        }
        #expect(error.code == .timeout)
        #expect(error.phase == .waiting)
        #expect(error.message.contains("wasn't complete 1.000 s after its first line"))
        await client.shutdown()
        peer.stop()
    }

    /// Interim responses, each of which restarts the limit of the first byte.
    @Test func interimResponsesRestartTheLimit() async throws {
        let peer = try ScriptedPeer { connection, _ in
            guard connection.readHead() != nil else { return }
            for _ in 0..<4 {
                usleep(400_000)
                connection.send("HTTP/1.1 102 Processing\r\n\r\n")
            }
            usleep(400_000)
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            connection.waitForClose()
        }
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport())
        let bytes = try await client.send(request("x", Timeouts(firstByte: .seconds(1))))
        #expect(bytes.count == 2)
        await client.shutdown()
        peer.stop()
    }

    @Test func aStreamedBodyMeetsTheTotalToo() async throws {
        try await Fixture.run(slow) { fixture in
            let response = try await fixture.client.stream(request("drip", .total(.seconds(4))))
            let error = await #expect(throws: NetError.self) { for try await _ in response.body {} }
            #expect(error?.isTimeout == true)
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    /// libcurl never reads it.
    @Test func aStreamThatIsDeclaredEmptyHasGoneOut() async throws {
        let peer = try ScriptedPeer { connection, _ in connection.waitForClose() }
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport())
        let nothing = AsyncStream<Bytes> { $0.finish() }
        var request = Request<Bytes>("x", method: .put, body: .stream(nothing, length: 0), serializer: .bytes)
        request.options.timeouts = Timeouts(firstByte: .milliseconds(300), stall: .seconds(30))
        let error = try await failure { try await client.send(request) }
        #expect(error.code == .timeout)
        #expect(error.phase == .waiting)
        await client.shutdown()
        peer.stop()
    }
}
#endif
