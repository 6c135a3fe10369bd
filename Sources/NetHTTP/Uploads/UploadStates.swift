internal import NetCore
internal import NetCrypto
internal import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The journals of a program's uploads, in a folder for each file and target: programs that send other files, or the same
/// file elsewhere, run concurrently, and none continues the uploads of another.
package final class UploadStates: DownloadStoring {
    /// A folder that is in use by this process.
    private struct State {
        var folders: [String: DownloadFolder] = [:]
        var keys: [UUID: String] = [:]
    }

    private let path: String
    private let threads: DownloadThreads
    /// The names of the folders of the uploads to restore.
    private let restored: Set<String>
    private let state = Mutex(State())

    /// Creates the storage.
    ///
    /// - Parameters:
    ///   - path: The folder for the folders. Earlier versions kept the journals of all uploads in it.
    ///   - places: The places of the uploads that ``restore()`` returns.
    init(path: String, places: [DownloadPlace], threads: DownloadThreads) {
        (self.path, self.threads) = (path, threads)
        restored = Set(places.map(Self.key))
    }

    /// The paths of the folders in a folder of states.
    package static func folders(in path: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.sorted().map { "\(path)/\($0)" }
    }

    private static let prefix = "upload-"

    private static func key(_ place: DownloadPlace) -> String {
        let digest = RunningHash.digest(of: Bytes(place.url.utf8), .sha256)?.hexadecimal ?? "all"
        return prefix + digest.prefix(32)
    }

    private func folder(_ key: String) throws(DownloadError) -> DownloadFolder {
        if let open = state.withLock({ $0.folders[key] }) { return open }
        let folder = try DownloadFolder.open("\(path)/\(key)")
        state.withLock { $0.folders[key] = folder }
        return folder
    }

    private func folder(of id: UUID) throws(DownloadError) -> DownloadFolder {
        guard let key = state.withLock({ $0.keys[id] }) else { throw .notFound(id) }
        return try folder(key)
    }

    // MARK: - Journals

    package func freeBytes() async throws(DownloadError) -> Int64 { .max }

    package func create(_ identity: DownloadIdentity) async throws(DownloadError) {
        let key = Self.key(try DownloadPlace(identity))
        try await threads.run { [self] () throws(DownloadError) in
            try folder(key).create(identity)
            state.withLock { $0.keys[identity.id] = key }
        }
    }

    package func change(_ identity: DownloadIdentity) async throws(DownloadError) {
        try await threads.run { [self] () throws(DownloadError) in try folder(of: identity.id).change(identity) }
    }

    package func remove(_ id: UUID) async throws(DownloadError) {
        try await threads.run { [self] () throws(DownloadError) in try folder(of: id).remove(id) }
    }

    package func restore() async throws(DownloadError) -> [RestoredDownload] {
        try await threads.run { [self] () throws(DownloadError) in
            var found: [RestoredDownload] = []
            for key in restored.sorted() where FileManager.default.fileExists(atPath: "\(path)/\(key)") {
                // An upload that another process is sending can't be added, which is that upload's error.
                guard let folder = try? folder(key) else { continue }
                let restored = try folder.restore()
                state.withLock { state in for each in restored { state.keys[each.identity.id] = key } }
                found += restored
            }
            return try found + adopted()
        }
    }

    /// Moves the journals of an earlier version to their own folders, and returns their uploads.
    private func adopted() throws(DownloadError) -> [RestoredDownload] {
        guard FileManager.default.fileExists(atPath: "\(path)/\(DownloadFolder.hiddenName)"),
            let common = try? DownloadFolder.open(path)
        else { return [] }
        defer { common.close() }
        var found: [RestoredDownload] = []
        for each in try common.restore() {
            guard let place = try? DownloadPlace(each.identity), case let key = Self.key(place), restored.contains(key),
                let folder = try? folder(key)
            else { continue }
            try folder.create(each.identity)
            try common.remove(each.identity.id)
            state.withLock { $0.keys[each.identity.id] = key }
            found.append(each)
        }
        return found
    }

    package func close() async {
        _ = try? await threads.run { [self] () throws(DownloadError) in
            for (key, folder) in state.withLock({ $0.folders }) {
                let isEmpty = (try? folder.restore().isEmpty) ?? false
                // Removed while it's locked, so that no other process has begun to use it.
                if isEmpty { try? FileManager.default.removeItem(atPath: "\(path)/\(key)") }
                folder.close()
            }
        }
        threads.end()
    }
}
