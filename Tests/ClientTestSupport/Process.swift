import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The resources of this process.
enum ThisProcess {
    /// Resident memory in bytes.
    static var residentBytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4096
    }

    /// The maximum of resident memory so far, in bytes.
    static var peakResidentBytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }

    /// Ends this process with a message: for the body of an exit test, whose expectations are reported without their
    /// text. The exit code is 0, otherwise the message would be lost: the test expects empty output.
    static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(0)
    }

    /// Changes the environment, which is safe only in an exit test's process.
    static func set(_ name: String, _ value: String) { setenv(name, value, 1) }
}

#if os(Linux)
extension ThisProcess {
    /// Options of a connected socket.
    struct TCPOptions: Equatable {
        var keepsAlive: Bool
        var idle: Int
        var hasNoDelay: Bool
    }

    /// All descriptors except the standard ones.
    private static var descriptors: [Int32] { (try? descriptors(of: getpid())) ?? [] }

    /// Returns the sockets that are connected to a port over IPv4.
    static func sockets(to port: Int) -> [TCPOptions] {
        descriptors.compactMap { descriptor in
            guard Self.port(of: descriptor, getpeername) == port else { return nil }
            func option(_ level: Int32, _ name: Int32) -> Int {
                var value: Int32 = 0
                var size = socklen_t(MemoryLayout<Int32>.size)
                getsockopt(descriptor, level, name, &value, &size)
                return Int(value)
            }
            return TCPOptions(
                keepsAlive: option(SOL_SOCKET, SO_KEEPALIVE) != 0, idle: option(Int32(IPPROTO_TCP), TCP_KEEPIDLE),
                hasNoDelay: option(Int32(IPPROTO_TCP), TCP_NODELAY) != 0)
        }
    }

    /// Prevents programs started later from inheriting the descriptors that are open now.
    static func keepDescriptors() {
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    /// Returns the descriptors that a program started now would inherit, as links, without the standard ones and the
    /// connections that a server of this process accepted on a port.
    static func inheritedDescriptors(exceptFrom port: Int) throws -> [String] {
        let accepted = descriptors.filter { Self.port(of: $0, getsockname) == port }
        var pid: pid_t = 0
        var words = ["/bin/sleep", "30"].map { (word: String) in strdup(word) } + [nil]
        defer { for word in words { free(word) } }
        guard posix_spawn(&pid, "/bin/sleep", nil, nil, &words, environ) == 0 else { throw POSIXError(.ENOENT) }
        defer {
            kill(pid, SIGKILL)
            var status: Int32 = 0
            waitpid(pid, &status, 0)
        }
        // At first it also has those that close when a program starts, and files that it reads itself.
        var names = try descriptors(of: pid)
        for _ in 0..<1000 where names.contains(where: { !accepted.contains($0) }) {
            usleep(1000)
            names = try descriptors(of: pid)
        }
        return names.filter { !accepted.contains($0) }.map { name in
            "\(name) \((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(name)")) ?? "")"
        }
    }

    /// Returns the descriptors of a process other than its standard input and outputs.
    private static func descriptors(of process: pid_t) throws -> [Int32] {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
        return names.compactMap { Int32($0) }.filter { $0 > 2 }
    }

    /// Returns one port of a connected IPv4 socket; nil for any other descriptor.
    private static func port(
        of descriptor: Int32,
        _ question: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> Int? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { question(descriptor, $0, &length) }
        }
        return status == 0 && address.sin_family == AF_INET ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }
}
#endif
