#if Server
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting
import Testing

extension TransportRule {
    static let timeLimits = [lateAnswers, standingBodies, totals, totalsOfStreams, droppedAfterTimeouts]

    private static let slow = [
        Stub(.get, "/late", .text("late").delayed(by: .seconds(600))),
        // Its head arrives after the transport has already checked the time once.
        Stub(
            .get, "/stuck",
            .chunks([StubChunk("a"), StubChunk("b", after: .seconds(600))]).delayed(by: .milliseconds(500))),
        .drip(count: 10_000, every: .milliseconds(50)),
    ]

    static let lateAnswers = TransportRule("an answer that does not begin in time fails") { subject in
        try await subject.run(slow) { world in
            let error = await world.failure("/late", timeouts: Timeouts(firstByte: .milliseconds(300)))
            #expect(error?.code == .timeout)
            #expect(error?.phase == .waiting)
        }
    }

    static let standingBodies = TransportRule("a body that stands still fails") { subject in
        try await subject.run(slow) { world in
            for delivery in [BodyDelivery.streamed, .collected(upTo: 100)] {
                let error = await world.failure(
                    "/stuck", delivery: delivery, timeouts: Timeouts(stall: .milliseconds(300)))
                #expect(error?.code == .timeout)
                #expect(error?.phase == .receiving)
                // Not at the next check, which was scheduled for the first-byte limit of 30 s.
                let elapsed = try #require(error?.elapsed)
                #expect(elapsed < .seconds(15))
            }
        }
    }

    static let totals = TransportRule("a call that takes longer than its total fails") { subject in
        try await subject.run(slow) { world in
            let error = await world.failure(
                "/drip", timeouts: Timeouts(stall: .seconds(60), total: .seconds(2)))
            #expect(error?.code == .timeout)
            #expect(error?.phase == .receiving)
        }
    }

    static let totalsOfStreams = TransportRule("a streamed body meets the total too") { subject in
        try await subject.run(slow) { world in
            let error = await world.failure("/drip", delivery: .streamed, timeouts: .total(.milliseconds(500)))
            #expect(error?.code == .timeout)
        }
    }

    static let droppedAfterTimeouts = TransportRule("the server sees that a late call was given up", needsSockets: true)
    {
        subject in
        try await subject.run(slow) { world in
            _ = await world.failure("/late", timeouts: Timeouts(firstByte: .milliseconds(300)))
            try await world.wait { $0.last?.outcome == .clientWentAway }
        }
    }
}
#endif
