#if os(Linux) && Server
import Foundation
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import Synchronization
import TestSupport
import Testing

/// Thousands of WebSockets, from several addresses, that are cut at any byte, fall silent, are flooded or cancelled:
/// each waiting task ends, and nothing is left behind.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct SocketSoakTests {
    /// 20,000 in a long run.
    private static var connects: Int { ProcessInfo.processInfo.environment["NET_SOAK"] == "1" ? 20_000 : 1000 }
    private static let memory = 24 << 20
    private static let liveness = WebSocketLiveness(silence: .milliseconds(100), grace: .milliseconds(100))

    private static var stubs: [WebSocketStub] {
        var echo = WebSocketStub.echo()
        echo.compression = WebSocketCompression(minimumBytes: 16)
        return [
            echo, WebSocketStub("/flood", .pattern(bytes: 1 << 30, size: 3000)), WebSocketStub("/silent", .stall),
            WebSocketStub("/bye", .text("bye"), .close(.goingAway)),
            WebSocketStub("/broken", .text("a"), .raw(Bytes([0xC1, 0x7F]))),
        ]
    }

    /// The tasks that wait for something on a connection, counted at their beginning and their end.
    private final class Waiters: Sendable {
        private let begun = Atomic<Int>(0)
        private let ended = Atomic<Int>(0)

        func count(_ body: () async throws -> Void) async {
            begun.add(1, ordering: .relaxed)
            // Most of them must fail.
            try? await body()
            ended.add(1, ordering: .relaxed)
        }

        var counts: (begun: Int, ended: Int) {
            (begun.load(ordering: .relaxed), ended.load(ordering: .relaxed))
        }
    }

    /// A server behind a proxy that cuts connections, and clients with their own addresses.
    private struct Place: Sendable {
        let server: TestServer
        let proxy: TCPProxy
        let clients: [WebSocketClient]
        let waiters: Waiters

        static func run(_ body: (Place) async throws -> Void) async throws {
            var settings = TestServer.Configuration()
            // The server's log isn't part of the measurement.
            (settings.maximumLoggedRequests, settings.maximumLoggedBodyBytes) = (10, 0)
            let server = try await TestServer.start(webSockets: stubs, configuration: settings)
            let proxy = try await TCPProxy.start(to: server.port)
            let transports = (1...8).map { number in
                var configuration = CurlWebSocketTransport.Configuration()
                configuration.proxy = .none
                configuration.connection.localAddress = .host("127.\(number * 29).\(number).\(number + 1)")
                configuration.inboxBytes = 64 << 10
                return CurlWebSocketTransport(configuration: configuration)
            }
            let place = Place(
                server: server, proxy: proxy, clients: transports.map { WebSocketClient(transport: $0) },
                waiters: Waiters())
            try await body(place)
            for client in place.clients { await client.shutdown() }
            let (begun, ended) = place.waiters.counts
            if begun != ended { ThisProcess.fail("\(begun) tasks have waited, and \(ended) have ended") }
            if transports.contains(where: { $0.openConnections > 0 }) { ThisProcess.fail("connections are open") }
            await proxy.stop()
            await server.stop()
        }
    }

    /// Runs the lifecycle of one connection, which depends only on its number.
    private static func connection(_ number: Int, _ place: Place) async throws {
        let random = SeededRandom(seed: UInt64(number))
        func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        var port = place.server.port
        if below(3) == 0 {
            port = place.proxy.port
            let forms: [ConnectionDrop.Form] = [.close, .reset, .stall]
            place.proxy.configuration.toClient.cut = .init(afterBytes: Int64(below(1000)), form: forms[below(3)])
        }
        let path = ["echo", "echo", "flood", "silent", "bye", "broken"][below(6)]
        var request = WebSocketRequest(url: "ws://127.0.0.1:\(port)/\(path)", connectTimeout: .seconds(2))
        request.liveness = liveness
        if below(2) == 0 {
            request.compression = below(2) == 0 ? .withoutContext : WebSocketCompression(minimumBytes: 0)
        }
        let socket = try await place.clients[number % place.clients.count].connect(request)
        let (sends, pause, end) = (below(40), below(30), below(4))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await place.waiters.count { while true { _ = try await socket.receiveAll() } } }
            group.addTask { await place.waiters.count { try await socket.ping() } }
            group.addTask {
                await place.waiters.count {
                    let text = String(repeating: "soak \(number) ", count: 20)
                    for _ in 0..<sends { try await socket.send(contentsOf: [.text(text), .binary(Bytes(text.utf8))]) }
                }
            }
            try? await Task.sleep(for: .milliseconds(pause))
            switch end {
            case 0: group.cancelAll()
            case 1: socket.drop()
            default: await place.waiters.count { await socket.close() }
            }
            // The remaining tasks end with the connection.
            if end == 0 { socket.drop() }
        }
    }

    private static func run(_ count: Int) async throws {
        try await Place.run { place in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    if number >= 128 { await group.next() }
                    group.addTask { await place.waiters.count { try await connection(number, place) } }
                }
            }
        }
    }

    /// In a separate process, where no other code opens descriptors.
    @Test func manyConnectionsThatFailInEveryWayLeaveNothing() async throws {
        let child = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
        ) {
            // One run first: descriptors that the process opens once and keeps aren't a leak.
            try await SocketSoakTests.run(200)
            let before = ThisProcess.residentBytes
            do {
                try await LeakCheck.run(countingDescriptors: true, patience: .seconds(10)) {
                    try await SocketSoakTests.run(SocketSoakTests.connects)
                }
            } catch {
                ThisProcess.fail("\(error)")
            }
            let grown = ThisProcess.residentBytes - before
            print("soak: \(SocketSoakTests.connects) WebSockets, memory grew by \(grown >> 10) KiB")
            fflush(nil)
            if grown > SocketSoakTests.memory { ThisProcess.fail("memory grew by \(grown) bytes") }
        }
        for line in String(decoding: child?.standardOutputContent ?? [], as: UTF8.self).split(separator: "\n")
        where line.hasPrefix("soak") { print(line) }
        expectNothingPrinted(by: child)
    }
}
#endif
