#if Server
import Foundation
import NetCore
import NetTestServer
import NetTesting
import TestSupport

@testable import ClientTestSupport
@testable import NetHTTP

/// A folder for downloads and the code that runs them, without a manager.
struct DownloadBench: Sendable {
    let folder: DownloadFolder
    let threads = DownloadThreads()
    let reports = Locked<[DownloadReport]>([])

    /// Runs `body` with its own folder.
    static func with<Value>(_ body: (DownloadBench) async throws -> Value) async throws -> Value {
        try await TemporaryFolder.with { temporary in
            let bench = DownloadBench(folder: try DownloadFolder.open(temporary.url.path()))
            defer { bench.folder.close() }
            return try await body(bench)
        }
    }

    /// Creates a task like a manager.
    func job(_ request: DownloadRequest) throws -> DownloadJob {
        var identity = DownloadIdentity(id: UUID(), url: request.url, createdAt: Date(timeIntervalSince1970: 0))
        identity.folder = request.folder.map { DownloadName.folder($0) } ?? ""
        try folder.create(identity)
        return DownloadJob(id: identity.id, request: request, identity: identity)
    }

    /// Creates and runs a task with a client.
    func load(
        _ request: DownloadRequest, _ client: HTTPClient, _ change: (inout DownloadRun.Settings) -> Void = { _ in }
    ) async throws -> DownloadedFile {
        try await run(try job(request), client, change)
    }

    /// Runs a task with a client.
    func run(
        _ job: DownloadJob, _ client: HTTPClient, _ change: (inout DownloadRun.Settings) -> Void = { _ in },
        onReport: @escaping @Sendable (DownloadReport) -> Void = { _ in }
    ) async throws(DownloadError) -> DownloadedFile {
        var settings = DownloadRun.Settings()
        settings.retry.backoff = .constant(.milliseconds(1))
        settings.keepsFree = 0
        change(&settings)
        let runner = DownloadRun(client: client, folder: folder, threads: threads, settings: settings)
        return try await runner.run(job) { [reports] report in
            reports.change { $0.append(report) }
            onReport(report)
        }
    }

    /// Runs a task until it has the given number of bytes, then pauses it.
    func pause(
        _ job: DownloadJob, at bytes: Int64, _ client: HTTPClient,
        _ change: @escaping @Sendable (inout DownloadRun.Settings) -> Void = { _ in }
    ) async -> DownloadError? {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task { () -> DownloadError? in
            do throws(DownloadError) {
                _ = try await run(job, client, change) { report in
                    if case .bytes(let count) = report, count >= bytes { signal.yield() }
                }
                signal.finish()
                return nil
            } catch {
                signal.finish()
                return error
            }
        }
        for await _ in signals { break }
        task.cancel()
        return await task.value
    }

    /// The delays before further attempts.
    var waits: [Duration] {
        reports.value.compactMap { if case .attempt(_, let wait, _) = $0 { wait } else { nil } }
    }

    /// Returns the bytes of a file.
    func bytes(_ file: DownloadedFile) throws -> Bytes { Bytes(try Data(contentsOf: file.url)) }

    /// The names in the folder, without hidden files.
    var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
        }
    }

    /// The names of parts and journals.
    var parts: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.downloads").filter {
                $0.hasSuffix(".part") || $0.hasSuffix(".journal")
            }
        }
    }
}
#endif
