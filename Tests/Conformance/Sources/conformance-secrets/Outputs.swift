import Foundation
import Synchronization

/// The texts and files that the calls of a run have led to, in a folder for each output.
final class Outputs: Sendable {
    private let folder: URL
    private let texts = Mutex<[String: String]>([:])

    init(_ folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Appends a text to an output.
    func add(_ output: String, _ text: String) {
        texts.withLock { $0[output, default: ""] += text + "\n" }
    }

    /// Appends a value as `print`, a debugger and `dump` show it.
    func print(_ output: String, _ value: Any) {
        var dumped = ""
        Swift.dump(value, to: &dumped)
        add(output, "\(value)\n\(String(reflecting: value))\n\(dumped)")
    }

    /// Returns the path of a file of an output, whose folder is created.
    func path(_ output: String, _ name: String) throws -> String {
        let place = folder.appendingPathComponent(output)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        return place.appendingPathComponent(name).path
    }

    /// Writes the texts, each into the folder of its output.
    func write() throws {
        for (output, text) in texts.withLock({ $0 }) {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path(output, "text.txt")))
        }
    }
}
