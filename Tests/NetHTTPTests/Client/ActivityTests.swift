#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@Suite(.timeLimit(.minutes(2))) struct ActivityTests {
    private let stubs = [
        Stub(.get, "/ok", .text("hello")), Stub(.get, "/missing", .status(.notFound)),
        Stub(.get, "/bad", .json(text: "{")),
        Stub(.get, "/late", .text("x").delayed(by: .seconds(60))), .pattern(),
    ]

    private func events(_ body: @Sendable (Fixture) async throws -> Void) async throws -> EventLog {
        let log = EventLog()
        try await Fixture.run(stubs, with: .client { $0.listeners = [log] }) { try await body($0) }
        return log
    }

    @Test func everyCallBeginsOnceAndEndsOnce() async throws {
        let log = try await events { fixture in
            try await fixture.client.send(Request<String>("ok", serializer: .string))
            _ = try? await fixture.client.send(Request<String>("missing", serializer: .string))
            _ = try? await fixture.client.send(Request<[Int]>("bad"))
        }
        #expect(
            log.names == [
                "started", "attemptEnded", "completed", "started", "attemptEnded", "rejected", "started",
                "attemptEnded", "failed",
            ])
        try #require(log.all.map(\.sequence) == [1, 2, 3, 1, 2, 3, 1, 2, 3])
        #expect(Set(log.all.map(\.call)).count == 3)
        guard case .ended(.completed(let status, let bytes)) = log.all[2].kind else {
            Issue.record("no completed event")
            return
        }
        #expect(status == 200)
        #expect(bytes == 5)
    }

    @Test func aStreamEndsWithItsBody() async throws {
        let log = try await events { fixture in
            let response = try await fixture.client.stream(Request<Bytes>("bytes", serializer: .bytes))
            for try await _ in response.body {}
            do { _ = try await fixture.client.stream(Request<Bytes>("bytes", serializer: .bytes)) }
        }
        #expect(log.names.prefix(4) == ["started", "responded", "attemptEnded", "completed"])
        #expect(log.names.suffix(2) == ["attemptEnded", "cancelled"])
    }

    @Test func cancellingIsAnOutcomeOfItsOwn() async throws {
        let log = try await events { fixture in
            let task = Task { try await fixture.client.send(Request<Bytes>("late", serializer: .bytes)) }
            try await fixture.server.wait { requests, _ in requests.count == 1 }
            task.cancel()
            _ = try? await task.value
        }
        #expect(log.names == ["started", "attemptEnded", "cancelled"])
    }

    @Test func aSubscriberSeesEventsUntilShutdown() async throws {
        try await Fixture.run(stubs) { fixture in
            let activity = fixture.client.activity
            try await fixture.client.send(Request<String>("ok", serializer: .string))
            await fixture.client.shutdown()
            var count = 0
            for await event in activity {
                count += 1
                #expect(event.url == fixture.server.baseURL.description + "/ok")
            }
            #expect(count == 3)
        }
    }

    @Test func eachHopAndEachAttemptSaysWhereItWent() async throws {
        let stubs = [
            Stub(.post, "/a", .status(.seeOther).header(.location, "/b?token=s3cret")),
            Stub(.get, "/b", .text("here")),
        ]
        let log = EventLog()
        try await Fixture.run(stubs, with: .client { $0.listeners = [log] }) { fixture in
            try await fixture.client.send(
                Request<String>("a", method: .post, body: .text("abc"), serializer: .string))
            let attempts = log.all.compactMap { event -> ActivityEvent.Attempt? in
                if case .attemptEnded(let attempt) = event.kind { attempt } else { nil }
            }
            #expect(attempts.map(\.method) == [.post, .get])
            #expect(attempts.map(\.status) == [303, 200])
            #expect(attempts.map(\.number) == [1, 2])
            #expect(attempts.map(\.requestBytes) == [3, 0])
            #expect(attempts.map(\.responseBytes) == [0, 4])
            #expect(
                attempts.map(\.url) == ["/a", "/b?token=<redacted>"].map { fixture.server.baseURL.description + $0 })
        }
    }

    @Test func rejectedAndUndecodableResponsesAreReported() async throws {
        let log = try await events { fixture in
            _ = try? await fixture.client.send(Request<String>("missing", serializer: .string))
            _ = try? await fixture.client.send(Request<[Int]>("bad"))
        }
        let ends = log.all.filter { $0.duration != nil }
        try #require(ends.map(\.name) == ["rejected", "failed"])
        #expect(ends.map(\.status) == [404, 200])
        #expect(ends[1].error?.phase == .decoding)
    }

    @Test func theOldestEventsMayBeKeptInstead() async throws {
        try await Fixture.run(stubs) { fixture in
            let activity = fixture.client.activity(buffering: .oldest(4))
            for _ in 0..<3 { try await fixture.client.send(Request<String>("ok", serializer: .string)) }
            #expect(fixture.client.droppedActivityEvents == 5)
            await fixture.client.shutdown()
            var names: [String] = []
            for await event in activity { names.append(event.name) }
            #expect(names == ["started", "attemptEnded", "completed", "started"])
        }
    }

    @Test func eventsDroppedForSlowSubscribersAreCounted() async throws {
        try await Fixture.run(stubs) { fixture in
            let activity = fixture.client.activity
            for _ in 0..<40 { try await fixture.client.send(Request<String>("ok", serializer: .string)) }
            #expect(fixture.client.droppedActivityEvents == 20)
            await fixture.client.shutdown()
            var count = 0
            for await _ in activity { count += 1 }
            #expect(count == 100)
        }
    }
}
#endif
