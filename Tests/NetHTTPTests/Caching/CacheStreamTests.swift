#if Server
@testable import NetHTTP
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetCore
import NetTestServer
import NetTesting
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct CacheStreamTests {
    private struct Chunks: IteratorProtocol, Sendable {
        var left: Int64

        mutating func next() -> StubChunk? {
            guard left > 0 else { return nil }
            let count = min(left, 64 << 10)
            left -= count
            return StubChunk(Bytes([UInt8](repeating: UInt8(truncatingIfNeeded: left >> 16), count: Int(count))))
        }
    }

    private func pattern(_ bytes: Int64, isChunked: Bool = false) -> Stub {
        Stub(.get, "/x") { _ in
            StubResponse(
                headers: [.cacheControl: "max-age=60"],
                body: .generated(length: isChunked ? nil : bytes) {
                    Chunks(left: bytes)
                })
        }
    }

    private func read(_ response: StreamedResponse) async throws -> Bytes {
        try await response.body.collect(upTo: 1 << 30)
    }

    @Test(arguments: [false, true]) func aStreamIsStoredWhenItWasReadToItsEnd(isChunked: Bool) async throws {
        try await Fixture.cached([pattern(1 << 20, isChunked: isChunked)]) { (fixture, _) async throws in
            let request = Request<Bytes>("/x", serializer: .bytes)
            let first = try await read(try await fixture.client.stream(request))
            let second = try await read(try await fixture.client.stream(request))
            #expect(first.count == 1 << 20)
            #expect(first == second)
            #expect(fixture.server.requests.count == 1)
        }
    }

    @Test func aStreamThatIsDroppedIsNotStored() async throws {
        let store = MemoryCacheStore()
        try await Fixture.cached([pattern(1 << 20)], store) { (fixture, _) async throws in
            let request = Request<Bytes>("/x", serializer: .bytes)
            let response = try await fixture.client.stream(request)
            for try await _ in response.body { break }
            response.body.cancel()
            #expect(store.count == 0)
            _ = try await fixture.get()
            #expect(fixture.server.requests.count == 2)
            #expect(store.count == 1)
        }
    }

    @Test func aBodyThatBreaksOffIsNotStored() async throws {
        let broken = StubResponse.text("0123456789").header(.cacheControl, "max-age=60").dropping(.afterBodyBytes(4))
        let store = MemoryCacheStore()
        try await Fixture.cached([Stub(.get, "/x", broken)], store) { (fixture, _) async throws in
            _ = try? await fixture.get()
            #expect(store.count == 0)
        }
    }

    @Test func aLargeBodyDoesNotPassThroughMemory() async throws {
        let gibibyte: Int64 = 1 << 30
        try await TemporaryFolder.with { (folder) async throws in
            let store = DiskCacheStore(
                folder: folder.path("cache"), maximumBytes: 3 << 30, maximumEntryBytes: 2 << 30)
            let configuration = CacheMiddleware.Configuration(maximumBodyBytes: 2 << 30)
            try await Fixture.cached([pattern(gibibyte)], store, configuration: configuration) {
                (fixture, _) async throws in
                let before = ThisProcess.residentBytes
                var most = 0
                for _ in 1...2 {
                    let response = try await fixture.client.stream(Request<Bytes>("/x", serializer: .bytes))
                    var count: Int64 = 0
                    for try await chunk in response.body {
                        count += Int64(chunk.count)
                        most = max(most, ThisProcess.residentBytes)
                    }
                    #expect(count == gibibyte)
                }
                #expect(fixture.server.requests.count == 1)
                #expect(most - before < 100 << 20)
            }
        }
    }

    /// A store that accepts nothing and contains nothing.
    private struct BrokenStore: HTTPCacheStore {
        final class Writer: HTTPCacheWriter {
            func write(_ bytes: Bytes) async -> Bool { false }
            func finish(replacing isReplaced: @escaping @Sendable (CacheEntry) -> Bool) async -> Bool { false }
            func cancel() {}
        }

        func entries(for key: CacheKey) async -> [CacheEntry] { [] }
        func body(of entry: CacheEntry, slice: Range<Int64>?) async -> ResponseBody? { nil }
        func begin(_ entry: CacheEntry, length: Int64?) async -> (any HTTPCacheWriter)? { Writer() }
        func update(_ entry: CacheEntry) async {}
        func remove(_ key: CacheKey, where isMeant: @Sendable (CacheEntry) -> Bool) async {}
        func removeAll(where isMeant: @Sendable (CacheEntry) -> Bool) async {}
    }

    @Test func aStoreThatFailsDoesNotFailTheCall() async throws {
        try await Fixture.cached([pattern(100_000)], BrokenStore()) { (fixture, _) async throws in
            let body = try await fixture.get().value
            #expect(body.count == 100_000)
            let streamed = try await read(try await fixture.client.stream(Request<Bytes>("/x", serializer: .bytes)))
            #expect(streamed == body)
        }
    }

    @Test func aThousandReadersCauseOneRefreshThatIsACallOfItsOwn() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let count = Locked(0)
        let stub = Stub(.get, "/x") { _ in
            count.change { $0 += 1 }
            if count.value == 2 { for await _ in gate.stream { break } }
            return StubResponse.text("\(count.value)").header(
                .cacheControl, "max-age=1, stale-while-revalidate=60"
            ).header(.eTag, "\"\(count.value)\"")
        }
        let log = EventLog()
        try await Fixture.cached([stub], listeners: [log]) { (fixture, clock) async throws in
            _ = try await fixture.get()
            await clock.advance(by: .seconds(10))
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<1000 { group.addTask { try await fixture.text() } }
                for try await text in group { #expect(text == "1") }
            }
            gate.continuation.yield()
            // 1,001 calls of the test, one of the cache.
            while log.names.count(where: { $0 == "completed" }) < 1002, !Task.isCancelled { await Task.yield() }
            #expect(fixture.server.requests.count == 2)
            #expect(fixture.server.requests.last?.headers[.ifNoneMatch] == "\"1\"")
            #expect(Set(log.all.map(\.call)).count == 1002)
            let refreshed = log.all.filter { $0.cacheDecision?.reason == .refreshInBackground }
            #expect(refreshed.count == 1)
            let own = log.all.filter { $0.call == refreshed.first?.call }.map(\.name)
            #expect(own.first == "started")
            #expect(own.last == "completed")
            #expect(own.contains("attemptEnded"))
            #expect(try await fixture.text() == "2")
        }
    }

    @Test func aRefreshThatFailsIsNotAnsweredByWhatItWasToRenew() async throws {
        let count = Locked(0)
        let stub = Stub(.get, "/x") { _ in
            count.change { $0 += 1 }
            if count.value == 2 { return .status(.serviceUnavailable) }
            return .text("\(count.value)").header(.eTag, "\"\(count.value)\"")
                .header(.cacheControl, "max-age=1, stale-while-revalidate=60")
        }
        let log = EventLog()
        try await Fixture.cached([stub], listeners: [log]) { (fixture, clock) async throws in
            _ = try await fixture.get()
            await clock.advance(by: .seconds(10))
            #expect(try await fixture.text() == "1")
            while fixture.client.unfinishedCalls > 0, !Task.isCancelled { await Task.yield() }
            #expect(log.decisions.contains("revalidate (refreshInBackground)"))
            #expect(!log.decisions.contains { $0.contains("staleIfError") })
        }
    }

    @Test func cancelAllAlsoCancelsTheBackgroundRefresh() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let count = Locked(0)
        let stub = Stub(.get, "/x") { _ in
            count.change { $0 += 1 }
            if count.value == 2 { for await _ in gate.stream { break } }
            return .text("\(count.value)").header(.cacheControl, "max-age=1, stale-while-revalidate=60")
        }
        let log = EventLog()
        try await Fixture.cached([stub], listeners: [log]) { (fixture, clock) async throws in
            _ = try await fixture.get()
            await clock.advance(by: .seconds(10))
            #expect(try await fixture.text() == "1")
            #expect(fixture.client.unfinishedCalls == 1)
            while count.value < 2, !Task.isCancelled { await Task.yield() }
            fixture.client.cancelAll()
            while log.names.last != "cancelled", !Task.isCancelled { await Task.yield() }
            #expect(fixture.client.unfinishedCalls == 0)
            gate.continuation.yield()
            // The next call can try again once the previous one has released the entry.
            while fixture.client.unfinishedCalls == 0, count.value < 3 {
                #expect(try await fixture.text() == "1")
            }
            while fixture.client.unfinishedCalls > 0, !Task.isCancelled { await Task.yield() }
            #expect(try await fixture.text() == "3")
        }
    }

    @Test func staleResponsesAreNotServedIfTheServerForbidsIt() async throws {
        for control in ["max-age=1, must-revalidate", "no-cache"] {
            let stub = CountedServer.stub { _, _ in
                [.cacheControl: control, .lastModified: "Thu, 01 Jan 2026 00:00:00 GMT"]
            }
            try await Fixture.cached([stub]) { (fixture, clock) async throws in
                #expect(try await fixture.text("/x", .staleWhileRevalidate()) == "1")
                await clock.advance(by: .seconds(10))
                #expect(try await fixture.text("/x", .staleWhileRevalidate()) == "2")
            }
        }
    }
}
#endif
