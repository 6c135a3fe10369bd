#if os(Linux)
import Glibc
import Testing

@testable import NetCurl

/// The kernel's receive buffer of a streamed connection is bounded, regardless of the system's limit for it.
struct ReceiveWindowTests {
    private static let lockOption: CInt = 72  // SO_BUF_LOCK; Debian 12's glibc doesn't define it.

    private func withSocket(_ body: (CInt) -> Void) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        body(descriptor)
    }

    private func option(_ name: CInt, of descriptor: CInt) -> CInt {
        var value: CInt = -1
        var size = socklen_t(MemoryLayout<CInt>.size)
        getsockopt(descriptor, SOL_SOCKET, name, &value, &size)
        return value
    }

    @Test func whereTheSystemAllowsItTheBufferIsSetBeforeTheConnect() {
        withSocket { descriptor in
            ReceiveWindow(bytes: 100_000, systemLimit: 200_000).prepare(descriptor)
            #expect(option(SO_RCVBUF, of: descriptor) == 200_000)
            #expect(option(Self.lockOption, of: descriptor) & 2 == 2)
        }
    }

    @Test func whereItDoesNotTheBufferIsLockedOnceItHoldsAWindow() {
        withSocket { descriptor in
            let initial = option(SO_RCVBUF, of: descriptor)
            var window = ReceiveWindow(bytes: Int(initial) + 1, systemLimit: 0)
            window.prepare(descriptor)
            window.advance(descriptor, received: 1)
            #expect(option(SO_RCVBUF, of: descriptor) == initial)
            #expect(option(Self.lockOption, of: descriptor) & 2 == 0)

            window = ReceiveWindow(bytes: Int(initial), systemLimit: 0)
            window.prepare(descriptor)
            #expect(option(Self.lockOption, of: descriptor) & 2 == 0)
            window.advance(descriptor, received: 1)
            #expect(option(Self.lockOption, of: descriptor) & 2 == 2)
        }
    }
}
#endif
