import Foundation
import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Testing

@testable import NetStore

/// The code with which a parked item is stored.
@Suite(.timeLimit(.minutes(5)))
struct OutboxFailureTests {
    private static func answer(_ reason: OutboxItem.ParkReason) throws -> StubResponse {
        switch reason {
        case .refused: return StubResponse(status: .badRequest)
        case .exhausted: return StubResponse(status: .serviceUnavailable)
        case .failed, .expired: throw NetError(.tls, phase: .securing, message: "no trust")
        }
    }

    @Test(arguments: OutboxItem.ParkReason.allCases)
    func eachReasonForWhichAnItemIsParkedIsItsCode(_ reason: OutboxItem.ParkReason) async throws {
        let folder = try TemporaryFolder()
        let store = try ActivityStore(at: folder.file())
        let peer = try OutboxPeer(folder: folder, listeners: [store]) {
            $0.retryPolicy = RetryPolicy(maximumAttempts: 1)
        } answer: { _, _ in
            try Self.answer(reason)
        }
        let id = try await peer.outbox.add(
            Request<Void>("orders", method: .post, body: .text("tea")), expiresAfter: reason == .expired ? .zero : nil)
        try await peer.sending { try await peer.until(id, is: .parked) }
        #expect(try await peer.outbox.item(id: id)?.parkReason == reason)
        try await store.flush()
        let job = try #require(try await store.items(matching: .job).first)
        #expect(job.outcome == .failed)
        #expect(job.failure?.code == reason.rawValue)
        #expect(try await store.count(matching: .job & .error(reason.rawValue)) == 1)
        // The message names the cause.
        if reason == .failed { #expect(try await store.count(matching: .job & .error("tls")) == 1) }
        let statistics = try await store.statistics(by: .all)
        #expect(statistics.map(\.jobs) == [1])
        await peer.outbox.close()
        try await store.close()
    }
}
