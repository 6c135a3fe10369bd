#if os(Linux)
import Foundation
package import Glibc

/// A program that runs concurrently with the tests. It inherits only its standard streams, and its standard input ends
/// with this process, however that ends.
///
/// `@unchecked Sendable`: its constants are set before it is shared, and `stop` runs once.
package final class ChildProcess: @unchecked Sendable {
    package let pid: pid_t
    private let input: Int32
    private let output: Int32

    /// Starts a program; its standard error is that of this process.
    package init(_ path: String, _ arguments: [String]) throws {
        var (toChild, fromChild): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw POSIXError(.EMFILE) }
        Self.keepDescriptors()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        // Threads of the runtime block signals; a program that inherits that can't be terminated.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let status = posix_spawn(&pid, path, &actions, &attributes, &words, environ)
        close(toChild[0])
        close(fromChild[1])
        (self.pid, input, output) = (pid, toChild[1], fromChild[0])
        guard status == 0 else {
            close(input)
            close(output)
            throw POSIXError(POSIXErrorCode(rawValue: status) ?? .ENOENT)
        }
    }

    /// Prevents children from inheriting descriptors: a connection that a child holds as well doesn't end when it is
    /// closed here.
    private static func keepDescriptors() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
    }

    /// Blocks until a line of the output satisfies `isLast`; returns all lines up to it. Throws if the output ends
    /// before.
    package func lines(until isLast: (String) -> Bool) throws -> [String] {
        var (lines, line): ([String], [UInt8]) = ([], [])
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            lines.append(String(decoding: line, as: UTF8.self))
            line.removeAll()
            if isLast(lines[lines.count - 1]) { return lines }
        }
        throw ChildFailure(description: "the program ended after \(lines)")
    }

    /// Waits until the program has ended on its own; returns its status, or -1 if a signal ended it.
    @discardableResult package func wait() -> Int32 {
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        close(input)
        close(output)
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -1
    }

    /// Ends the program and waits for it.
    package func stop() {
        kill(pid, SIGTERM)
        close(input)
        close(output)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }
}

package struct ChildFailure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Runs blocking calls on a separate thread, because the threads of tasks are under test.
package func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
#endif
