#if Tools && Server
import NetSocket
import NetTesting
import Testing

@testable import net_lab

@Suite struct SubscriptionTourTests {
    @Test func `subscription ends well`() async throws {
        try await #expect(Tour.wrong(in: SubscriptionCommand.self, "--wait", "50ms").isEmpty)
    }

    @Test func `A history that holds more than it should is noticed`() async throws {
        let peer = SubscriptionTour.peer(history: 10)
        let wrong = try await Tour.wrong { steps in
            try await Tour.session(peer, "/prices", SubscriptionTour.configuration(wait: .milliseconds(50))) {
                session in
                try await SubscriptionTour(session: session, peer: peer, steps: steps).run()
            }
        }
        #expect(wrong.prefix(2) == ["gap", "goes on"])
    }

    @Test func `A session for which nothing comes ends with an error`() async throws {
        let peer = SocketPeer("/silent", wire: .centrifuge) { _, _ in [] }
        await #expect(throws: Overdue.self) {
            try await Workbench.with(.mock, [], webSockets: [peer.stub]) { bench in
                try await bench.withSession(
                    "/silent", SocketClient.Configuration(wire: .centrifuge), limit: .milliseconds(50)
                ) { session in
                    _ = try await session.withConnection { try await $0.join("herring") }
                    return true
                }
            }
        }
    }
}
#endif
