internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Identifies processes: by the machine that assigned their IDs, and by their start times.
enum Machine {
    /// On Linux, the boot ID and the namespace of process IDs; otherwise, the host name. Two processes with equal names
    /// can query each other's state.
    static let name: String = {
        #if os(Linux)
        let boot = text(of: "/proc/sys/kernel/random/boot_id") ?? "unknown"
        var namespace = stat()
        let number = stat("/proc/self/ns/pid", &namespace) == 0 ? namespace.st_ino : 0
        return "\(boot)/\(number)"
        #else
        return ProcessInfo.processInfo.hostName
        #endif
    }()

    /// The name of the program.
    static var program: String {
        let path = CommandLine.arguments.first ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "unknown"
    }

    /// Returns the start time of a process in a system-specific unit; nil if it can't be determined. Distinguishes a
    /// process from a later one with the same ID.
    static func start(of pid: Int32) -> Int64? {
        #if os(Linux)
        // The program's name, in parentheses, may contain anything; the state and further columns follow it.
        guard let line = text(of: "/proc/\(pid)/stat"), let end = line.lastIndex(of: ")") else { return nil }
        let columns = line[line.index(after: end)...].split(separator: " ")
        return columns.count > 19 ? Int64(columns[19]) : nil
        #else
        return nil
        #endif
    }

    /// Returns true if the process of a run is still running; nil if it's in another namespace or on another host,
    /// where its state can't be determined.
    ///
    /// A run of another boot has ended: only processes of one kernel can share the log of a database.
    static func isAlive(pid: Int64, started: Int64?, machine: String) -> Bool? {
        guard machine == name else {
            #if os(Linux)
            return machine.prefix { $0 != "/" } == name.prefix { $0 != "/" } ? nil : false
            #else
            return nil
            #endif
        }
        guard let pid = Int32(exactly: pid), pid > 0 else { return false }
        if kill(pid, 0) != 0, errno == ESRCH { return false }
        guard let started, let now = start(of: pid) else { return true }
        return started == now
    }

    #if os(Linux)
    /// Returns the text of a small system file; nil if it can't be read.
    private static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != UInt8(ascii: "\n") }.prefix(count), as: UTF8.self)
    }
    #endif
}
