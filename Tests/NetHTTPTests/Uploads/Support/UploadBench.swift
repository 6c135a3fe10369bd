import Foundation
import HTTPTypes
import NetCore
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetHTTP

/// A manager, a file and a server for a test of uploads.
struct UploadBench: Sendable {
    let server: UploadPeer
    let client: HTTPClient
    let folder: TemporaryFolder
    let content: [UInt8]

    var file: String { folder.path("film.mp4") }

    /// Runs a test with a file of the given size.
    static func with(
        _ speech: UploadPeer.Speech, bytes: Int = 3_000_000, listeners: [any ActivityListener] = [],
        _ body: (UploadBench) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let server = try UploadPeer(speech)
            defer { server.stop() }
            let client = HTTPClient(configuration: .init(listeners: listeners))
            let bench = UploadBench(server: server, client: client, folder: folder, content: content(1, bytes))
            try bench.write(bench.content)
            try await body(bench)
            await client.shutdown()
        }
    }

    /// Created once, because that takes half a second in a debug build.
    private static let standard = made(1, 3_000_000)

    static func content(_ seed: Int, _ count: Int) -> [UInt8] {
        seed == 1 ? Array(standard.prefix(count)) : made(seed, count)
    }

    private static func made(_ seed: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) ^ ($0 >> 16) ^ seed) }
    }

    func write(_ content: [UInt8]) throws { try Data(content).write(to: URL(fileURLWithPath: file)) }

    /// Runs a manager of the folder, which is shut down at the end.
    func manager<Value>(
        _ change: (inout DownloadManager.Configuration) -> Void = { _ in },
        _ body: (DownloadManager) async throws -> Value
    ) async throws -> Value {
        var configuration = DownloadManager.Configuration(folder: folder.path("state"), keepsFree: 0, logDetail: .none)
        configuration.retry = RetryPolicy(backoff: .constant(.milliseconds(1)))
        configuration.flushesAtEnd = false
        change(&configuration)
        let manager = DownloadManager(client: client, configuration: configuration)
        do {
            let value = try await body(manager)
            await manager.shutdown()
            return value
        } catch {
            await manager.shutdown()
            throw error
        }
    }

    func request(_ change: (inout UploadRequest) -> Void = { _ in }) -> UploadRequest {
        var request = UploadRequest(file, to: server.url)
        change(&request)
        return request
    }

    /// Uploads the file with a separate manager.
    @discardableResult func upload(_ change: (inout UploadRequest) -> Void = { _ in }) async throws -> UploadedFile {
        try await manager { manager in
            try await manager.uploadedFile(of: try await manager.enqueue(request(change)))
        }
    }

    /// Returns the error of an upload.
    func failure(_ change: (inout UploadRequest) -> Void = { _ in }) async throws -> DownloadError {
        do {
            let file = try await upload(change)
            throw try #require(nil as DownloadError?, "uploaded \(file)")
        } catch let error as DownloadError {
            return error
        }
    }

    /// Expects that the server has the file, once.
    func expectArrived(_ content: [UInt8]? = nil, _ location: SourceLocation = #_sourceLocation) {
        let complete = server.uploads.value.values.filter(\.isComplete)
        #expect(complete.count == 1, sourceLocation: location)
        #expect(complete.first?.bytes == content ?? self.content, sourceLocation: location)
    }

    /// Decides the treatment of the first request with a method, or of the one with this number among them; the others
    /// are served.
    func on(_ method: String, _ fate: UploadPeer.Fate, number: Int = 1) {
        let count = Locked(0)
        let before = server.fate.value
        server.fate.change {
            $0 = { visit in
                guard visit.method == method else { return before(visit) }
                let isIt = count.change { count in
                    count += 1
                    return count == number
                }
                return isIt ? fate : before(visit)
            }
        }
    }

    /// The names of the journals.
    var journals: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path("state/.downloads")).filter {
                $0.hasSuffix(".journal")
            }
        }
    }
}
