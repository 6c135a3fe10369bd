#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The open descriptors of this process, and their targets.
struct OpenDescriptors: Sendable, Equatable {
    private(set) var names: [Int32: String] = [:]

    /// Lists the descriptors that are open now.
    init() {
        // Checked one by one, because reading /proc/self/fd would open another descriptor.
        let highest = min(Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))), 65_536)
        var misses = 0
        for descriptor in 0..<max(0, highest) {
            guard fcntl(descriptor, F_GETFD) != -1 else {
                misses += 1
                // The kernel assigns the lowest free number; a thousand free numbers in a row mark the end.
                if misses == 1000 { break }
                continue
            }
            misses = 0
            let name = Self.name(of: descriptor)
            // The runtime's timers use one descriptor per clock, created by the first sleep and never closed.
            if name != "anon_inode:[timerfd]" { names[descriptor] = name }
        }
    }

    /// The descriptors that weren't open before, or that have another target now.
    func added(since before: OpenDescriptors) -> [String] {
        names.filter { before.names[$0.key] != $0.value }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    }

    private static func name(of descriptor: Int32) -> String {
        #if os(Linux)
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : "unknown"
        #else
        return "open"
        #endif
    }
}
