#if os(Linux)
import Foundation
import Glibc

/// What the process of an exit test prints, in a file. The testing library reads pipes on the threads that all tasks share,
/// to the end of the process: two of them, on two cores, and no other task goes on meanwhile, such as those of a server.
struct ChildOutput {
    let path = FileManager.default.temporaryDirectory.appending(path: "net-\(UUID().uuidString)").path()

    /// In that process: whatever is printed in `body` goes there. What the testing library writes afterwards does not.
    static func collect(at path: String, _ body: () async throws -> Void) async rethrows {
        redirect(to: path)
        defer {
            fflush(nil)
            redirect(to: "/dev/null")
        }
        try await body()
    }

    private static func redirect(to path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        for stream in [STDOUT_FILENO, STDERR_FILENO] { dup2(file, stream) }
        close(file)
    }

    /// The lines, once it has ended; the file is gone then.
    func take() -> [String] {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
#endif
