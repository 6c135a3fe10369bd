#if os(Linux)
import Foundation
import Glibc

/// The output of an exit test's process, in a file. The testing library reads pipes on the threads that all tasks
/// share, until the process ends: on two cores, two of them block all other tasks, such as those of a server.
struct ChildOutput {
    let path = FileManager.default.temporaryDirectory.appending(path: "net-\(UUID().uuidString)").path()

    /// In that process: redirects the output of `body` to the file, but not the later output of the testing library.
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

    /// Returns the lines after the process has ended, and removes the file.
    func take() -> [String] {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
#endif
