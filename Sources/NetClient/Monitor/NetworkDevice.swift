#if os(Linux)
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif
#endif

/// A kind of device that the kernel's routing tables don't distinguish: there, wireless interfaces count as Ethernet.
enum NetworkDevice: Equatable {
    case wifi
    case cellular

    #if os(Linux)
    /// Reads the kind of device from sysfs, whose root is usually `/sys`; nil if it is neither of these kinds.
    init?(link name: String, sysfs: String) {
        // The kernel doesn't allow such a name, which would lead to another folder.
        guard !name.contains("/"), name != ".", name != ".." else { return nil }
        let folder = "\(sysfs)/class/net/\(name)"
        let words = Self.words(of: folder + "/uevent")
        if words.contains("DEVTYPE=wlan") || access(folder + "/phy80211", F_OK) == 0
            || access(folder + "/wireless", F_OK) == 0
        {
            self = .wifi
        } else if words.contains("DEVTYPE=wwan") {
            self = .cellular
        } else {
            return nil
        }
    }

    /// Returns the lines of a sysfs file, which is at most one page long.
    private static func words(of path: String) -> [Substring] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return [] }
        return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
    }
    #endif
}
