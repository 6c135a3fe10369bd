import Foundation

/// A folder of its own for each test, removed with it.
final class TemporaryFolder: Sendable {
    let path: String

    /// - Parameter isInMemory: Whether the folder should be in memory, if the system has a place for that: for tests that
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

    /// The bytes of every file in the folder, the database's log included.
    func allBytes() throws -> Data {
        var bytes = Data()
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            bytes += try Data(contentsOf: URL(fileURLWithPath: file(name)))
        }
        return bytes
    }
}
