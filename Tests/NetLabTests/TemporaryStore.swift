#if Tools && Server
import Foundation

/// A file for a run's activity, in its own folder that is removed afterward.
enum TemporaryStore {
    static func with<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("net-lab-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.path + "/run.sqlite")
    }
}
#endif
