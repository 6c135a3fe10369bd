import Foundation
import Logging
import NetCore
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// Runs that a test controls: each waits for the test's instruction for its URL.
final class FakeRunner: DownloadRunning {
    struct Run: Sendable {
        let job: DownloadJob
        let report: @Sendable (DownloadReport) -> Void
        let end: AsyncStream<Result<DownloadedFile, DownloadError>>.Continuation
    }

    private let all = Locked<[Run]>([])
    private let started = AsyncStream.makeStream(of: Run.self)
    let concurrent = Locked((now: 0, most: 0))
    /// If set, each run ends by itself.
    let ending = Locked<(@Sendable (Run) async -> Result<DownloadedFile, DownloadError>)?>(nil)

    /// The names of the files of all runs, in order.
    var names: [String] { all.value.map { $0.job.request.url.split(separator: "/").last.map(String.init) ?? "" } }
    var runs: [Run] { all.value }

    func run(
        _ job: DownloadJob, report: @escaping @Sendable (DownloadReport) -> Void
    ) async throws(DownloadError) -> DownloadedFile {
        let (stream, end) = AsyncStream.makeStream(of: Result<DownloadedFile, DownloadError>.self)
        let run = Run(job: job, report: report, end: end)
        concurrent.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        all.change { $0.append(run) }
        started.continuation.yield(run)
        defer { concurrent.change { $0.now -= 1 } }
        if let ending = ending.value { return try await ending(run).get() }
        for await result in stream { return try result.get() }
        // The task was cancelled: the runner flushes and stops.
        throw DownloadError(.cancelled, message: "stopped")
    }

    /// Waits until another run has begun.
    func next() async throws -> Run {
        var iterator = started.stream.makeAsyncIterator()
        return try #require(await iterator.next())
    }
}

extension FakeRunner.Run {
    var name: String { job.request.url.split(separator: "/").last.map(String.init) ?? "" }

    func complete(bytes: Int64 = 10) {
        end.yield(.success(DownloadedFile(path: "/fake/\(name)", bytes: bytes)))
    }

    func fail(_ code: DownloadError.Code = .rejected, underlying: NetError? = nil) {
        end.yield(.failure(DownloadError(code, message: "no", underlying: underlying)))
    }
}

/// Journals in memory.
final class FakeStorage: DownloadStoring {
    let journals = Locked<[UUID: DownloadIdentity]>([:])
    let free = Locked<Int64>(1 << 40)
    let failure = Locked<DownloadError?>(nil)
    let isClosed = Locked(false)
    /// The performed actions, in order.
    let log = Locked<[String]>([])

    func freeBytes() async throws(DownloadError) -> Int64 { free.value }

    func create(_ identity: DownloadIdentity) async throws(DownloadError) {
        if let failure = failure.value { throw failure }
        await Task.yield()
        journals.change { $0[identity.id] = identity }
    }

    func change(_ identity: DownloadIdentity) async throws(DownloadError) {
        journals.change { $0[identity.id] = identity }
    }

    func remove(_ id: UUID) async throws(DownloadError) { journals.change { $0[id] = nil } }

    func restore() async throws(DownloadError) -> [RestoredDownload] {
        journals.value.values.map { RestoredDownload(identity: $0, received: 5) }
    }

    func close() async { isClosed.change { $0 = true } }
}

/// A manager with both, in virtual time.
struct FakeDownloads: Sendable {
    let clock = TestClock()
    let runner = FakeRunner()
    let storage = FakeStorage()
    let log = LogSink()
    let manager: DownloadManager

    init(listeners: [any ActivityListener] = [], _ change: (inout DownloadManager.Configuration) -> Void = { _ in }) {
        var configuration = DownloadManager.Configuration(maximumConcurrent: 1)
        var logger = log.logger()
        logger[metadataKey: "secret"] = "hidden-value"
        configuration.logger = logger
        change(&configuration)
        let clock = clock
        let client = HTTPClient(baseURL: "http://mock.test", transport: MockTransport()) {
            $0.clock = clock.netClock
            $0.random = SeededRandom(seed: 1).netRandom
            $0.listeners = listeners
        }
        let engine = DownloadEngine(storage: storage, runner: runner)
        manager = DownloadManager(client: client, configuration: configuration) { _ throws(DownloadError) in engine }
    }

    /// Returns another one with the same journals.
    func again() -> FakeDownloads {
        let other = FakeDownloads()
        other.storage.journals.change { $0 = storage.journals.value }
        return other
    }

    @discardableResult
    func add(_ name: String, _ priority: RequestPriority = .normal) async throws -> UUID {
        try await manager.enqueue(DownloadRequest("http://a.test/\(name)", priority: priority))
    }
}
