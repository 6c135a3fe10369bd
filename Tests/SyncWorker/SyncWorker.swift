internal import Foundation
internal import NetCore
internal import NetHTTP
internal import NetStore

/// A program as a user would write it: it brings a folder to the state of a server's list, and sends a report. The tests
/// kill it, and run it again. `FOLDER/activity.sqlite` records what it did.
///
///     sync-worker FOLDER URL
@main
struct SyncWorker {
    struct File: Codable, Sendable { var name, link: String }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { exit(64) }
        let (folder, url) = (arguments[1], arguments[2])
        let store = try ActivityStore(path: "\(folder)/activity.sqlite")
        let client = HTTPClient(baseURL: url) { $0.listeners = [store] }
        let retry = RetryPolicy(maximumAttempts: 2, backoff: .constant(.milliseconds(1)))
        let manager = DownloadManager(
            client: client, configuration: .init(folder: "\(folder)/files", maximumConcurrent: 8, retry: retry))
        try await manager.restore()

        var transfers: [(name: String, id: UUID)] = []
        for file in try await client.send(Request<[File]>("list")) {
            let download = DownloadRequest("\(url)\(file.link)", fileName: file.name, existing: .ask)
            transfers.append((file.name, try await id { try await manager.enqueue(download) }))
        }
        let upload = UploadRequest("\(folder)/report.txt", to: "\(url)/inbox", protocol: .plain, method: .put)
        transfers.append(("report.txt", try await id { try await manager.enqueue(upload) }))
        let failures = try await withThrowingTaskGroup(of: Int.self) { group in
            for (name, id) in transfers { group.addTask { try await finish(name, id, manager, store) } }
            var failures = 0
            for try await failure in group { failures += failure }
            return failures
        }
        await manager.shutdown()
        await client.shutdown()
        try await store.close()
        exit(failures == 0 ? 0 : 1)
    }

    /// Returns the ID of the added transfer, or of the one that `restore()` has brought back.
    private static func id(_ enqueue: () async throws -> UUID) async throws -> UUID {
        do {
            return try await enqueue()
        } catch let error as DownloadError {
            guard let id = error.taskID else { throw error }
            return id
        }
    }

    /// Waits for the end of a transfer; returns 1 if it has failed.
    private static func finish(_ name: String, _ id: UUID, _ manager: DownloadManager, _ store: ActivityStore)
        async throws -> Int
    {
        let end: (line: String, failures: Int)
        do {
            var isLarge = false
            for try await progress in manager.progress(of: id) where !isLarge && progress.bytes >= 2 << 20 {
                isLarge = true
                FileHandle.standardOutput.write(Data("large \(name)\n".utf8))
            }
            end = ("complete \(name)\n", 0)
        } catch {
            end = ("failed \(name): \(error.code)\n", 1)
        }
        // Before the line, so that its reader finds the transfer in the store, even if this program is killed.
        try await store.flush()
        FileHandle.standardOutput.write(Data(end.line.utf8))
        return end.failures
    }
}
