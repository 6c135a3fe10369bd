#if os(Linux)
import Foundation

/// A tun or tap held by a program, like that of a VPN: then it has a carrier.
final class Tunnel: Sendable {
    private let file: CInt

    /// Creates a device in the network namespace of this thread.
    init(name: String, isTap: Bool = false) throws {
        file = open("/dev/net/tun", O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw NetworkNamespace.Failure(description: "no /dev/net/tun: \(errno)") }
        // struct ifreq: the name, then IFF_TUN or IFF_TAP with IFF_NO_PI.
        var request = [UInt8](repeating: 0, count: 40)
        request.replaceSubrange(0..<name.utf8.count, with: name.utf8)
        request[16] = isTap ? 2 : 1
        request[17] = 0x10
        typealias Control = @convention(c) (CInt, UInt, UnsafeMutableRawPointer?) -> CInt
        guard let symbol = dlsym(nil, "ioctl") else { throw NetworkNamespace.Failure(description: "no ioctl") }
        let control = unsafeBitCast(symbol, to: Control.self)
        let result = request.withUnsafeMutableBytes { control(file, 0x4004_54ca, $0.baseAddress) }
        guard result == 0 else { throw NetworkNamespace.Failure(description: "cannot make \(name): \(errno)") }
    }

    deinit { close(file) }
}

/// A generator that returns the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
#endif
