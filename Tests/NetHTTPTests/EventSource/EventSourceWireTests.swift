#if os(Linux) && Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Event sources over real connections: a Python server that drops them, and one that observes their end.
@Suite(.timeLimit(.minutes(1))) struct EventSourceWireTests {
    @Test func aServerThatDropsConnectionsLosesNoEvent() async throws {
        struct Number: Decodable, Sendable { let number: Int }
        try await StreamPeer.withClient { client in
            let source = EventSource(Request<Void>("events"), client: client)
            var numbers: [Int] = []
            for try await value in source.events(decoding: Number.self) { numbers.append(value.number) }
            #expect(numbers == [1, 2, 3, 4, 5, 6])
            #expect(source.reconnectionTime == .milliseconds(20))
            let log = try await client.send(Request<[[String: String]]>("log"))
            #expect(log.map { $0["last-event-id"] } == [nil, "2", "4", "6"])
            #expect(log.allSatisfy { $0["accept"] == "text/event-stream" && $0["cache-control"] == "no-store" })
        }
    }

    @Test func aResetConnectionIsMadeAnew() async throws {
        try await StreamPeer.withClient { client in
            let source = EventSource(Request<Void>("reset"), client: client)
            var seen: [String] = []
            for try await event in source { seen.append(event.data) }
            // A reset may overtake the event; its ID is then unknown, and it arrives again.
            #expect(seen.allSatisfy { $0 == "one" })
            #expect(!seen.isEmpty)
            #expect(source.lastEventID == "first")
        }
    }

    @Test(arguments: Wire.allCases) func leavingTheLoopClosesTheConnection(wire: Wire) async throws {
        let endless = Stub(.get, "/events") { _ in
            let (stream, feed) = AsyncStream<Bytes>.makeStream()
            feed.yield(Bytes("data: 1\n\n".utf8))
            return StubResponse(headers: [.contentType: "text/event-stream"], body: .stream { stream })
        }
        try await Fixture.run([endless], over: wire) { fixture in
            let source = EventSource(Request<Void>("events"), client: fixture.client)
            for try await event in source {
                #expect(event.data == "1")
                #expect(source.readyState == .open)
                break
            }
            #expect(source.readyState == .closed)
            try await fixture.server.wait { requests, _ in requests.last?.outcome == .clientWentAway }
            // Again, ended by cancelling the task that waits for the next event.
            let reading = Task { for try await _ in source {} }
            while source.readyState != .open, !Task.isCancelled { await Task.yield() }
            reading.cancel()
            let error = await #expect(throws: NetError.self) { try await reading.value }
            #expect(error?.isCancellation == true)
            try await fixture.server.wait { requests, _ in
                requests.count == 2 && requests.allSatisfy { $0.outcome == .clientWentAway }
            }
            #expect(fixture.client.unfinishedCalls == 0)
        }
    }

    /// If only the end of the connection marks the end of a body, a truncated encoded body is a lost connection.
    @Test func aCodedStreamThatIsCutOffIsReadAgain() async throws {
        let coded = Array(CodedSample.gzip(Bytes("id: 7\ndata: 1\n\n".utf8)))
        let peer = try ScriptedPeer { connection, number in
            guard let head = connection.readHead() else { return }
            guard number < 2 else { return connection.send("HTTP/1.1 204 No Content\r\n\r\n") }
            #expect(head.contains("Last-Event-ID: 7") == (number > 0))
            connection.send("HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n")
            connection.send(Array(coded.dropLast(8)))
        }
        defer { peer.stop() }
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport(configuration: configuration))
        let source = EventSource(
            Request<Void>("events"), client: client, configuration: .init(reconnectionTime: .milliseconds(1)))
        var seen: [String] = []
        for try await event in source { seen.append(event.data) }
        #expect(seen == ["1", "1"])
        await client.shutdown()
    }

    @Test func aServerThatIsAwayIsTriedSoOftenAndNoMore() async throws {
        let port = try ClosedPort()
        var configuration = CurlTransport.Configuration()
        configuration.proxy = .none
        let client = HTTPClient(
            baseURL: "http://127.0.0.1:\(port.port)",
            transport: CurlTransport(configuration: configuration))
        let log = EventLog()
        let watched = client.with { $0.listeners = [log] }
        let source = EventSource(
            Request<Void>("events"), client: watched,
            configuration: .init(
                reconnectionTime: .milliseconds(5), reconnect: .constant(.milliseconds(5), maximumAttempts: 3)))
        let error = await #expect(throws: NetError.self) { for try await _ in source {} }
        #expect(error?.code == .connect)
        #expect(log.names.filter { $0 == "failed" }.count == 3)
        await client.shutdown()
        withExtendedLifetime(port) {}
    }

    /// Also if the event, the invalid part and the head arrive in one piece.
    @Test(arguments: ["zz\r\n", "fffffffffffffffff\r\n", "0\r\nno field\r\n\r\n"], [true, false])
    func aStreamThatBreaksTheRulesIsReadAgain(end: String, isTogether: Bool) async throws {
        let peer = try ScriptedPeer { connection, number in
            guard let head = connection.readHead() else { return }
            guard number == 0 else { return connection.send("HTTP/1.1 204 No Content\r\n\r\n") }
            #expect(!head.contains("Last-Event-ID"))
            let event =
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "f\r\nid: 7\ndata: a\n\n\r\n"
            if isTogether {
                connection.send(event + end)
            } else {
                connection.send(event)
                usleep(300_000)
                connection.send(end)
            }
            connection.waitForClose()
        }
        defer { peer.stop() }
        let client = HTTPClient(baseURL: peer.baseURL)
        let source = EventSource(
            Request<Void>("events"), client: client, configuration: .init(reconnectionTime: .milliseconds(1)))
        var seen: [String] = []
        for try await event in source { seen.append(event.data) }
        #expect(seen == ["a"])
        #expect(source.lastEventID == "7")
    }
}
#endif
