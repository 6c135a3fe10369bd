#if Server
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Observation
import TestSupport
import Testing

private func name(_ action: RequestAction<String>) -> String {
    switch action {
    case .started: "started"
    case .response(.success(let text)): text
    case .response(.failure): "failed"
    case .cancelled: "cancelled"
    }
}

@Suite(.timeLimit(.minutes(1))) struct RequestTasksTests {
    private let stubs = [Stub(.get, "/ok", .text("ok")), Stub(.get, "/late", .text("late").delayed(by: .seconds(60)))]
    private let ok = Request<String>("ok", serializer: .string)
    private let late = Request<String>("late", serializer: .string)

    private func first(_ count: Int, of tasks: RequestTasks<String, String>) async -> [String] {
        var seen: [String] = []
        for await (id, action) in tasks.actions {
            seen.append("\(id) \(name(action))")
            if seen.count == count { break }
        }
        return seen
    }

    @Test func aRequestBeginsAndEndsOnce() async throws {
        try await Fixture.run(stubs) { fixture in
            let tasks = RequestTasks<String, String>()
            tasks.run("a") { try await fixture.client.send(ok) }
            #expect(await first(2, of: tasks) == ["a started", "a ok"])
            #expect(tasks.running.isEmpty)
        }
    }

    @Test func anotherOfTheSameIdTakesItsPlaceAndTheServerSeesIt() async throws {
        try await Fixture.run(stubs) { fixture in
            let tasks = RequestTasks<String, String>()
            tasks.run("a") { try await fixture.client.send(late) }
            try await fixture.server.wait { requests, _ in requests.count == 1 }
            #expect(!tasks.run("a", cancelsRunning: false) { try await fixture.client.send(ok) })
            tasks.run("a") { try await fixture.client.send(ok) }
            #expect(await first(4, of: tasks) == ["a started", "a cancelled", "a started", "a ok"])
            try await fixture.server.wait { requests, _ in requests.first?.outcome == .clientWentAway }
        }
    }

    @Test func givingUpIsToldAtOnceAndOnce() async throws {
        try await Fixture.run(stubs) { fixture in
            let tasks = RequestTasks<String, String>()
            tasks.run("a") { try await fixture.client.send(late) }
            tasks.cancel("a")
            tasks.cancel("a")
            tasks.run("b") { throw CancellationError() }
            tasks.run("c") {
                try await HTTPClient.failing(with: .init(.cancelled, phase: .queued, message: "x")).send(ok)
            }
            let seen = await first(6, of: tasks)
            #expect(seen.filter { $0.hasPrefix("a") } == ["a started", "a cancelled"])
            #expect(seen.filter { $0.hasPrefix("b") } == ["b started", "b cancelled"])
            #expect(seen.filter { $0.hasPrefix("c") } == ["c started", "c cancelled"])
        }
    }

    @Test func aFailureIsAResponse() async throws {
        try await Fixture.run(stubs) { fixture in
            let tasks = RequestTasks<String, String>()
            tasks.run("a") { try await fixture.client.send(Request<String>("missing", serializer: .string)) }
            #expect(await first(2, of: tasks) == ["a started", "a failed"])
        }
    }
}

@Suite(.timeLimit(.minutes(1))) @MainActor struct RequestStoreTests {
    @Test func observersAndReadersSeeEachState() async throws {
        try await Fixture.run([Stub(.get, "/ok", .text("ok"))]) { fixture in
            let store = RequestStore<String>()
            let changes = Locked(0)
            withObservationTracking {
                _ = store.state
            } onChange: {
                changes.change { $0 += 1 }
            }
            store.load { try await fixture.client.send(Request<String>("ok", serializer: .string)) }
            #expect(changes.value == 1)
            #expect(store.state.isLoading)
            for await state in store.states where !state.isLoading { break }
            #expect(store.state == .loaded("ok"))
            store.load { try await fixture.client.send(Request<String>("missing", serializer: .string)) }
            for await state in store.states where !state.isLoading { break }
            #expect(store.state.value == "ok")
            #expect(store.state.error is APIError<Never>)
        }
    }

    @Test func aRequestThatWasGivenUpChangesNothingLater() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let done = AsyncStream<Void>.makeStream()
        let store = RequestStore<String>()
        store.load {
            for await _ in gate.stream { break }
            done.continuation.yield()
            return "late"
        }
        store.cancel()
        #expect(store.state == .idle)
        gate.continuation.yield()
        for await _ in done.stream { break }
        store.load { "new" }
        for await state in store.states where !state.isLoading { break }
        #expect(store.state == .loaded("new"))
        store.reset()
        #expect(store.state == .idle)
    }
}

@Suite(.timeLimit(.minutes(1))) struct CurrentClientTests {
    @Test func aTaskHasTheClientThatWasSetForIt() async throws {
        let get = Request<String>("ok", serializer: .string)
        let error = try await failure { try await HTTPClient.current.send(get) }
        #expect(error.code == .unsupported)
        #expect(error.description.contains("HTTPClient.$current.withValue"))
        try await Fixture.run([Stub(.get, "/ok", .text("ok"))]) { fixture in
            let text = try await HTTPClient.$current.withValue(fixture.client) {
                async let inner = HTTPClient.current.send(get)
                return try await inner
            }
            #expect(text == "ok")
        }
    }
}
#endif
