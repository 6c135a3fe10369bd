#if os(Linux) && Server
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import TestSupport
import Testing

/// Many connections that end in every way leave nothing behind.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct LeakTests {
    private static let stubs = [
        WebSocketStub.echo(), WebSocketStub("/bye", .text("bye"), .close(.goingAway)),
        WebSocketStub("/drop", .drop(.close)), WebSocketStub("/reset", .text("a"), .drop(.reset)),
        WebSocketStub("/violation", .raw(Bytes([0xff, 0xff]))), WebSocketStub("/silent", .stall),
        WebSocketStub("/fast", .pattern(bytes: 1 << 30, size: 10_000)),
    ]

    private struct Place: Sendable {
        let client: WebSocketClient
        let url: String
        let closedPort: Int
    }

    private static func connection(_ number: Int, _ place: Place) async throws {
        let client = place.client
        switch number % 10 {
        case 0:
            let socket = try await client.connect(place.url + "/echo")
            try await socket.send("hello")
            _ = try await socket.receive()
            await socket.close()
        case 1: for try await _ in try await client.connect(place.url + "/bye").messages {}
        case 2: _ = try await client.connect(place.url + "/drop").receive()
        case 3: for try await _ in try await client.connect(place.url + "/reset").messages {}
        case 4: _ = try await client.connect(place.url + "/violation").receive()
        case 5: _ = try await client.connect(place.url + "/nowhere")
        case 6: _ = try await client.connect("ws://127.0.0.1:\(place.closedPort)/")
        case 7:
            let task = Task { try await client.connect(place.url + "/echo") }
            for _ in 0..<(number % 60) { await Task.yield() }
            task.cancel()
            _ = try await task.value
        case 8:
            // Dropped with messages in transit in both directions.
            let socket = try await client.connect(place.url + "/fast")
            try await socket.send(contentsOf: (0..<50).map { .text("\($0)") })
            _ = try await socket.receive()
        default:
            let socket = try await client.connect(place.url + "/silent")
            let reader = Task { try await socket.receive() }
            await Task.yield()
            reader.cancel()
            _ = try await reader.value
        }
    }

    private static func run(_ count: Int) async throws {
        let port = try Listener.freePort()
        for configuration in [TestServer.Configuration(), .tls()] {
            let server = try await TestServer.start(webSockets: stubs, configuration: configuration)
            try await Fixture.run(trusting: server.caCertificatePEM) { fixture in
                let place = Place(client: fixture.client, url: server.webSocketURL, closedPort: port)
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<count {
                        if number >= 25 { await group.next() }
                        // Most of them must fail.
                        group.addTask { try? await connection(number, place) }
                    }
                }
                guard await fixture.hasNoConnections() else {
                    ThisProcess.fail("\(fixture.transport.openConnections) connections are open")
                }
                if server.statistics.requests < count / 2 { ThisProcess.fail("too few: \(server.statistics)") }
                // Silent ones are noticed only when the server stops.
            }
            await server.stop()
        }
    }

    /// In a separate process, where no other code opens descriptors.
    @Test func fiveHundredMixedConnectionsLeaveNoDescriptor() async throws {
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            // One run first: descriptors that the process opens once and keeps aren't a leak.
            try await LeakTests.run(20)
            do {
                try await LeakCheck.run(countingDescriptors: true) { try await LeakTests.run(250) }
            } catch {
                ThisProcess.fail("\(error)")
            }
        }
        expectNothingPrinted(by: child)
    }
}
#endif
