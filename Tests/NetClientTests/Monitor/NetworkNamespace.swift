#if os(Linux)
import Foundation
import NetCore
import Synchronization
import Testing

@testable import NetClient

/// A separate network, with links, addresses and routes that the test creates with `ip`.
final class NetworkNamespace: Sendable {
    /// False if the kernel or the user's permissions don't allow network namespaces.
    static let isSupported: Bool = {
        guard let namespace = try? NetworkNamespace() else { return false }
        return (try? namespace.ip("link", "add", "probe0", "type", "veth", "peer", "name", "probe1")) != nil
    }()

    private static let count = Mutex(0)
    let name: String

    init() throws {
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        name = "net-\(getpid())-\(number)"
        try Self.run(["netns", "add", name])
    }

    deinit { _ = try? Self.run(["netns", "delete", name]) }

    /// Runs `ip` in the namespace.
    @discardableResult
    func ip(_ arguments: String...) throws -> String { try Self.run(["-n", name] + arguments) }

    /// Runs a script of `ip` commands, one per line.
    func script(_ lines: String) throws {
        for line in lines.split(separator: "\n") {
            try Self.run(["-n", name] + line.split(separator: " ").map(String.init))
        }
    }

    @discardableResult
    private static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ip"] + arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "ip \(arguments): \(text)") }
        return text
    }

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// Runs a closure on a thread in the namespace: sockets that it opens, and threads that it starts, belong to it.
    func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let path = "/run/netns/\(name)"
        let thread = try SystemThread {
            let outcome = Result { () throws -> Value in
                try Self.enter(path)
                return try body()
            }
            result.withLock { $0 = outcome }
        }
        thread.join()
        return try #require(result.withLock { $0 }).get()
    }

    private static func enter(_ path: String) throws {
        typealias SetNamespace = @convention(c) (CInt, CInt) -> CInt
        let symbol = try #require(dlsym(nil, "setns"))
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        guard unsafeBitCast(symbol, to: SetNamespace.self)(file, 0x4000_0000) == 0 else {
            throw Failure(description: "cannot enter \(path): \(errno)")
        }
    }

    /// Returns a running monitor of the namespace.
    func monitor(sysfs: String = "/nowhere") throws -> NetworkMonitor {
        try perform {
            let monitor = NetworkMonitor(.init(sysfs: sysfs))
            try monitor.start()
            return monitor
        }
    }

    /// Returns the status from a fresh dump.
    func status() throws -> NetworkStatus {
        try perform {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            return try NetlinkSocket().table(&buffer).status { _ in nil }
        }
    }
}
#endif
