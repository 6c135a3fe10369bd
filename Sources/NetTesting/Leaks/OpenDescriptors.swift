#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The open descriptors of this process, and what each stands for.
struct OpenDescriptors: Sendable, Equatable {
    private(set) var names: [Int32: String] = [:]

    /// Those that are open now.
    init() {
        // Asked one by one: reading /proc/self/fd would open one more.
        let highest = min(Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))), 65_536)
        var misses = 0
        for descriptor in 0..<max(0, highest) {
            guard fcntl(descriptor, F_GETFD) != -1 else {
                misses += 1
                // The kernel gives the lowest number that is free: a thousand free ones in a row are the end.
                if misses == 1000 { break }
                continue
            }
            misses = 0
            let name = Self.name(of: descriptor)
            // The runtime's timers have one for each clock, made when a sleep first needs it and kept for good.
            if name != "anon_inode:[timerfd]" { names[descriptor] = name }
        }
    }

    /// Those that were not open before, or stand for something else now.
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
