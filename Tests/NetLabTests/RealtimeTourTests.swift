#if Tools && Server
import NetTesting
import Testing

@testable import net_lab

@Suite struct RealtimeTourTests {
    @Test func `realtime ends well`() async throws {
        try await #expect(Tour.wrong(in: RealtimeCommand.self, "--wait", "50ms").isEmpty)
    }

    @Test func `An order that is answered otherwise is noticed`() async throws {
        let peer = RealtimeTour.peer()
        peer.on(RealtimeTour.Order.self) { _ in "sold out" }
        let wrong = try await Tour.wrong { steps in
            try await Tour.session(peer, "/realtime", RealtimeTour.configuration(wait: .milliseconds(50))) { session in
                try await RealtimeTour(session: session, peer: peer, steps: steps).run()
            }
        }
        #expect(wrong == ["reply", "reply"])
    }
}
#endif
