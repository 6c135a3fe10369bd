#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct RefreshingCredentialsTests {
    private struct Down: Error {}
    private let me = Request<String>("me", serializer: .string)
    private let request = PreparedRequest(
        head: HTTPRequest(method: .get, scheme: "http", authority: "mock.test", path: "/me"))

    /// Accepts the currently valid token, and holds back rejections until `held` of them are due.
    private final class Issuer: Sendable {
        private struct State {
            var valid = 0
            var issued = 0
        }
        private let state = Mutex(State())

        var issued: Int { state.withLock { $0.issued } }

        func revoke() { state.withLock { $0.valid += 1 } }

        func issue() throws -> Credential {
            try .bearer(
                state.withLock { state in
                    state.issued += 1
                    return "t\(state.valid)"
                })
        }

        var stub: Stub {
            Stub(nil, "/me") { request in
                let token = self.state.withLock { "Bearer t\($0.valid)" }
                return request.headers[.authorization] == token ? .text("hello") : .status(.unauthorized)
            }
        }
    }

    @Test func aHundredRefusalsMakeOneRenewal() async throws {
        let issuer = Issuer()
        let gate = AsyncStream<Void>.makeStream()
        let tokens = RefreshingCredentials(initial: try .bearer("stale")) { _ in
            for await _ in gate.stream { break }
            return try issuer.issue()
        }
        let setup = Fixture.Setup.client { $0.middleware = [AuthMiddleware(tokens)] }
        try await Fixture.run([issuer.stub], with: setup) { fixture in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 { group.addTask { try await fixture.client.send(me) } }
                try await fixture.server.wait { requests, _ in requests.count == 100 }
                gate.continuation.yield()
                for try await text in group { #expect(text == "hello") }
            }
            #expect(issuer.issued == 1)
            #expect(fixture.server.requests.count == 200)
        }
    }

    @Test func aLateRefusalOfAnOldTokenGetsTheOneThatIsThere() async throws {
        let issuer = Issuer()
        let old = try Credential.bearer("stale")
        let tokens = RefreshingCredentials(initial: old) { _ in try issuer.issue() }
        let first = try await tokens.refreshed(from: old)
        let late = try await tokens.refreshed(from: old)
        #expect(first == late)
        #expect(issuer.issued == 1)
        issuer.revoke()
        let next = try await tokens.refreshed(from: first)
        #expect(next?.value == "Bearer t1")
    }

    @Test func aRenewalThatFailsReleasesAllWhoWaitWithItsError() async throws {
        let count = Locked(0)
        let gate = AsyncStream<Void>.makeStream()
        let tokens = RefreshingCredentials(initial: try .bearer("stale")) { _ in
            count.change { $0 += 1 }
            for await _ in gate.stream { break }
            throw Down()
        }
        let setup = Fixture.Setup.client { $0.middleware = [AuthMiddleware(tokens)] }
        try await Fixture.run([Stub(nil, "/me", .status(.unauthorized))], with: setup) { fixture in
            await withTaskGroup(of: NetError?.self) { group in
                for _ in 0..<20 {
                    group.addTask { try? await failure { try await fixture.client.send(me) } }
                }
                try? await fixture.server.wait { requests, _ in requests.count == 20 }
                // A rejection after a failed renewal triggers another renewal.
                gate.continuation.finish()
                for await error in group {
                    #expect(error?.code == .middleware)
                    #expect(error?.underlying is Down)
                }
            }
            #expect((1..<20).contains(count.value))
        }
    }

    @Test func waitsEndOnCancellationAndTheRenewalContinues() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let begun = AsyncStream<Void>.makeStream()
        let tokens = RefreshingCredentials(initial: try .bearer("stale")) { _ in
            begun.continuation.yield()
            for await _ in gate.stream { break }
            return try .bearer("new")
        }
        let old = tokens.current
        let first = Task { try await tokens.refreshed(from: old) }
        for await _ in begun.stream { break }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await tokens.refreshed(from: old) }
        gate.continuation.yield()
        #expect(try await second.value?.value == "Bearer new")
    }

    @Test func aTokenIsRenewedBeforeItEndsAndUsedToItsEndWhereThatFails() async throws {
        let clock = TestClock()
        let isDown = Locked(false)
        let count = Locked(0)
        let tokens = RefreshingCredentials(configuration: .init(clock: clock.netClock)) { _ in
            count.change { $0 += 1 }
            if isDown.value { throw Down() }
            return try .bearer("t\(count.value)", expires: clock.date.addingTimeInterval(600))
        }
        #expect(try await tokens.credential(for: request)?.value == "Bearer t1")
        await clock.advance(by: .seconds(530))
        #expect(try await tokens.credential(for: request)?.value == "Bearer t1")
        await clock.advance(by: .seconds(11))
        #expect(try await tokens.credential(for: request)?.value == "Bearer t2")
        isDown.change { $0 = true }
        await clock.advance(by: .seconds(550))
        #expect(try await tokens.credential(for: request)?.value == "Bearer t2")
        #expect(try await tokens.credential(for: request)?.value == "Bearer t2")
        #expect(count.value == 3)
        await clock.advance(by: .seconds(60))
        await #expect(throws: Down.self) { try await tokens.credential(for: request) }
        isDown.change { $0 = false }
        #expect(try await tokens.credential(for: request)?.value == "Bearer t5")
    }

    @Test func aRenewalThatHangsTimesOut() async throws {
        let clock = TestClock()
        let tokens = RefreshingCredentials(configuration: .init(clock: clock.netClock)) { _ in
            for await _ in AsyncStream<Void>.makeStream().stream {}
            try Task.checkCancellation()
            return nil
        }
        let task = Task { try await tokens.credential(for: request) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(30))
        let error = await #expect(throws: NetError.self) { try await task.value }
        #expect(error?.code == .timeout)
    }

    /// A store and a lock that two processes share.
    private final class Shared: CredentialStore, RefreshLock {
        private struct State {
            var credential: Credential?
            var isLocked = false
        }
        private let state = Mutex(State())

        init(_ credential: Credential?) { state.withLock { $0.credential = credential } }

        func load() async throws -> Credential? { state.withLock { $0.credential } }
        func save(_ credential: Credential?) async throws { state.withLock { $0.credential = credential } }

        func withLock<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
            while !state.withLock({ state in
                if state.isLocked { return false }
                state.isLocked = true
                return true
            }) {
                try Task.checkCancellation()
                await Task.yield()
            }
            defer { state.withLock { $0.isLocked = false } }
            return try await body()
        }
    }

    @Test func twoProcessesThatShareAStoreRenewOnce() async throws {
        let stale = try Credential.bearer("stale")
        let shared = Shared(stale)
        let issued = Locked(0)
        let make = {
            RefreshingCredentials(configuration: .init(store: shared, lock: shared)) { _ in
                issued.change { $0 += 1 }
                for _ in 0..<50 { await Task.yield() }
                return try .bearer("t\(issued.value)")
            }
        }
        let (one, other) = (make(), make())
        async let first = one.refreshed(from: stale)
        async let second = other.refreshed(from: stale)
        let (left, right) = try await (first, second)
        #expect(left == right)
        #expect(issued.value == 1)
        let stored = try await shared.load()
        #expect(stored == left)
        let third = make()
        #expect(try await third.credential(for: request) == left)
        try await third.forget()
        let forgotten = try await shared.load()
        #expect(forgotten == nil)
    }

    @Test func aStoredCredentialThatHasEndedIsRenewedAndNotForgotten() async throws {
        let clock = TestClock()
        var ended = try Credential.bearer("t1", expires: clock.date.addingTimeInterval(-1))
        ended.renewal = "r1"
        let shared = Shared(ended)
        for lock in [nil, shared] {
            let seen = Locked<[String?]>([])
            let tokens = RefreshingCredentials(configuration: .init(store: shared, lock: lock, clock: clock.netClock)) {
                old in
                seen.change { $0.append(old?.renewal) }
                return try .bearer("t2")
            }
            #expect(try await tokens.credential(for: request)?.value == "Bearer t2")
            #expect(seen.value == ["r1"])
            try await shared.save(ended)
        }
    }

    @Test func renewalsDoNotRestoreForgottenCredentials() async throws {
        let (begun, gate) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let shared = Shared(nil)
        let seen = Locked<[String?]>([])
        let first = try Credential.bearer("first")
        let tokens = RefreshingCredentials(initial: first, configuration: .init(store: shared)) { old in
            seen.change { $0.append(old?.value) }
            if seen.value.count > 1 { return try .bearer("other") }
            begun.continuation.yield()
            for await _ in gate.stream { break }
            return try .bearer("second")
        }
        let waiting = Task { try await tokens.refreshed(from: first) }
        for await _ in begun.stream { break }
        try await tokens.forget()
        gate.continuation.yield()
        _ = try? await waiting.value
        #expect(tokens.current == nil)
        let stored = try await shared.load()
        #expect(stored == nil)
        // A late rejection doesn't bring back the old refresh token either.
        #expect(try await tokens.refreshed(from: first)?.value == "Bearer other")
        #expect(seen.value == ["Bearer first", nil])
    }

    @Test func aRefusalRenewsWithTheNewestThereIs() async throws {
        let clock = TestClock()
        let seen = Locked<[String?]>([])
        let tokens = RefreshingCredentials(configuration: .init(clock: clock.netClock)) { old in
            seen.change { $0.append(old?.value) }
            return try .bearer("t\(seen.value.count)", expires: clock.date.addingTimeInterval(600))
        }
        let first = try await tokens.credential(for: request)
        _ = try await tokens.refreshed(from: first)
        await clock.advance(by: .seconds(601))
        _ = try await tokens.refreshed(from: first)
        #expect(seen.value == [nil, "Bearer t1", "Bearer t2"])
    }

    @Test func aRenewalAheadThatBringsNothingLeavesTheOldOneInUse() async throws {
        let clock = TestClock()
        let count = Locked(0)
        let initial = try Credential.bearer("old", expires: clock.date.addingTimeInterval(30))
        let tokens = RefreshingCredentials(initial: initial, configuration: .init(clock: clock.netClock)) { _ in
            count.change { $0 += 1 }
            return nil
        }
        await clock.advance(by: .seconds(20))
        for _ in 0..<3 { #expect(try await tokens.credential(for: request)?.value == "Bearer old") }
        #expect(count.value == 1)
        await clock.advance(by: .seconds(11))
        #expect(try await tokens.credential(for: request) == nil)
    }

    @Test func aCredentialOfAShortLifeIsNotRenewedForEachCall() async throws {
        let clock = TestClock()
        let count = Locked(0)
        let tokens = RefreshingCredentials(configuration: .init(clock: clock.netClock)) { _ in
            count.change { $0 += 1 }
            return try .bearer("t\(count.value)", expires: clock.date.addingTimeInterval(60))
        }
        for _ in 0..<5 { #expect(try await tokens.credential(for: request)?.value == "Bearer t1") }
        await clock.advance(by: .seconds(29))
        #expect(try await tokens.credential(for: request)?.value == "Bearer t1")
        await clock.advance(by: .seconds(1))
        #expect(try await tokens.credential(for: request)?.value == "Bearer t2")
        #expect(count.value == 2)
    }

    @Test func aRenewalThatHearsOfNoCancellationTimesOutToo() async throws {
        let clock = TestClock()
        let (stream, open) = AsyncStream<Void>.makeStream()
        let tokens = RefreshingCredentials(
            configuration: .init(timeout: .milliseconds(50), clock: clock.netClock)
        ) { _ in
            await Task.detached { for await _ in stream { break } }.value
            return try .bearer("late")
        }
        let credential = Task { try await tokens.credential(for: request) }
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .milliseconds(50))
        await #expect { try await credential.value } throws: { ($0 as? NetError)?.code == .timeout }
        open.finish()
    }
}
#endif
