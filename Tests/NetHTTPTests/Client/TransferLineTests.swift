#if os(Linux)
@testable import ClientTestSupport
import Foundation
import NetHTTP
import TestSupport
import Testing

/// Calls beyond `maximumTransfers`, and calls that come too late.
@Suite(.timeLimit(.minutes(1))) struct TransferLineTests {
    @Test func finishedCallsAreReleasedWhileOthersAreQueued() async throws {
        let answered = Locked(0)
        let peer = try ScriptedPeer { connection, _ in
            while answered.value < 20, connection.readHead() != nil {
                answered.change { $0 += 1 }
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            connection.waitForClose()
        }
        var configuration = CurlTransport.Configuration()
        configuration.maximumTransfers = 1
        let transport = CurlTransport(configuration: configuration)
        let client = HTTPClient(baseURL: peer.baseURL, transport: transport)
        let alive = Locked(0)
        // A call retains its body's source until it is released.
        let tasks = (0..<24).map { _ in
            Task {
                let token = Counted(alive)
                var request = Request<String>("x")
                request.options.progress = ProgressObserver { _ in withExtendedLifetime(token) {} }
                _ = try? await client.send(request)
            }
        }
        // One is active, three are queued; the suite has a limit of its own.
        while answered.value < 20 || alive.value != 4 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(alive.value == 4)
        client.cancelAll()
        for task in tasks { await task.value }
        await client.shutdown()
        peer.stop()
    }

    private final class Counted: Sendable {
        private let alive: Locked<Int>

        init(_ alive: Locked<Int>) {
            self.alive = alive
            alive.change { $0 += 1 }
        }

        deinit { alive.change { $0 -= 1 } }
    }

    @Test func aCallThatComesTooLateIsNotLive() async throws {
        let transport = CurlTransport()
        let clients = (0..<2).map { _ in
            HTTPClient(baseURL: "http://127.0.0.1:1", transport: transport)
        }
        await clients[0].shutdown()
        let error = try await failure { try await clients[1].send(Request<String>("x")) }
        #expect(error.code == .shutdown)
        #expect(transport.statistics.liveTransfers == 0)
    }
}
#endif
