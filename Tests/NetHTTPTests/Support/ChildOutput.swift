#if os(Linux)
import Foundation
import Glibc

/// What the process of an exit test prints, in a file. The testing library reads pipes on the threads that all tasks share,
/// to the end of the process: two of them, on two cores, and no other test goes on meanwhile.
struct ChildOutput {
    let path = FileManager.default.temporaryDirectory.appending(path: "net-\(UUID().uuidString)").path()

    /// In that process: whatever it prints from now on goes there.
    static func redirect(to path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        for stream in [STDOUT_FILENO, STDERR_FILENO] { dup2(file, stream) }
        close(file)
    }

    /// The lines, once it has ended; the file is gone then.
    func take() -> [String] {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}
#endif
