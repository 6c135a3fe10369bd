#if Tools && Server
internal import ArgumentParser
internal import Foundation

/// The location of the stored activity: the requested file, without its old contents, or a new temporary one.
struct LabStore {
    let path: String

    init(path: String?) throws {
        guard let path else {
            let number = String(UInt32.random(in: .min ... .max), radix: 16)
            self.path = FileManager.default.temporaryDirectory.appendingPathComponent("net-lab-\(number).sqlite").path
            return
        }
        self.path = path
        for name in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: name) {
            guard name != path || Self.isDatabase(name) else {
                throw ValidationError("\(name) isn't a SQLite file; net-lab does not replace it")
            }
            try FileManager.default.removeItem(atPath: name)
        }
    }

    private static func isDatabase(_ path: String) -> Bool {
        let head = FileHandle(forReadingAtPath: path).flatMap { try? $0.read(upToCount: 16) } ?? Data()
        return head.isEmpty || head.elementsEqual("SQLite format 3\0".utf8)
    }
}
#endif
