import Foundation

/// A test's own folder, removed with this object.
final class TemporaryFolder: Sendable {
    let path: String

    /// - Parameter isInMemory: True if the folder should be in memory, if the system supports that: for tests that
    ///   flush thousands of times.
    init(inMemory isInMemory: Bool = false) throws {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let hasMemory = isInMemory && FileManager.default.isWritableFile(atPath: memory.path)
        let parent = hasMemory ? memory : FileManager.default.temporaryDirectory
        path = parent.appendingPathComponent("net-store-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the folder.
    func file(_ name: String = "activity.sqlite") -> String { path + "/" + name }

    /// Returns the bytes of every file in the folder, including the database's log.
    func allBytes() throws -> Data {
        var bytes = Data()
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            bytes += try Data(contentsOf: URL(fileURLWithPath: file(name)))
        }
        return bytes
    }
}
