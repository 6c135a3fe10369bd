#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The kernel's ID of the current boot.
enum BootID {
    /// The ID; empty if the kernel doesn't provide one, in which case no two boots count as the same.
    static let current: String = {
        #if canImport(Darwin)
        var name = [CChar](repeating: 0, count: 64)
        var count = name.count
        guard sysctlbyname("kern.bootsessionuuid", &name, &count, nil, 0) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #else
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 > 32 }, as: UTF8.self)
        #endif
    }()
}
