#if Tools
internal import Foundation
internal import NetCore
internal import NetRecord
internal import NetStore

/// A temporary store with the entries of a HAR file or a cassette, so that every command that reads a store reads these
/// too.
struct RecordedStore {
    private let folder: URL

    /// Only the user may read the folder.
    var path: String { folder.appending(path: "activity.sqlite").path }

    /// Reads the file; nil if it is a store.
    ///
    /// Throws if it is a file of another kind, which the error names.
    init?(of file: String) async throws {
        let kind = try InputFile(of: file)
        if kind == .store { return nil }
        if kind == .contract { throw InputFile.contractFailure(file) }
        folder = FileManager.default.temporaryDirectory
            .appending(path: "net-activity-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        do {
            let writer = try ActivityStore(path: path, configuration: ImportHAR.store)
            let added: HARImport
            do {
                added =
                    kind == .har
                    ? try await writer.importHAR(at: file, pins: true) : try await writer.importCassette(at: file)
            } catch {
                try? await writer.close()
                throw error
            }
            try await writer.close()
            RemarksText(added).show()
        } catch {
            remove()
            throw error
        }
    }

    /// Deletes the store.
    func remove() { try? FileManager.default.removeItem(at: folder) }
}
#endif
