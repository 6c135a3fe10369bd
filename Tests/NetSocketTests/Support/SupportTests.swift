#if os(Linux)
import Foundation
import Glibc
import NetSocketCore
import TestSupport
import Testing

/// Tests of the tests' own peers.
struct SupportTests {
    @Test func theAcceptValueOfTheSpecificationIsMade() {
        #expect(Handshake.acceptValue(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536]) func framesAreReadAsTheyWereWritten(_ size: Int) {
        let plain = TestFrame.binary((0..<size).map { UInt8(truncatingIfNeeded: $0) })
        let masked = TestFrame(opcode: 1, payload: plain.payload, isFinal: false, mask: [1, 2, 3, 4])
        #expect(TestFrame.parse(plain.bytes + masked.bytes + [0x81]) == [plain, masked])
    }

    @Test func nobodyGetsIntoABlackHole() throws {
        let hole = try BlackHole()
        defer { hole.stop() }
        let (descriptor, _) = Listener.open(port: hole.port, isBlocking: false)
        defer { close(descriptor) }
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        #expect(poll(&poller, 1, 300) == 0)
    }

    @Test(.enabled(if: SlowResolver.isAvailable)) func theSlowResolverComesFirstAndLeavesOtherNamesAlone() async {
        let child = await SlowResolver.preloaded {
            await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let start = ContinuousClock().now
                let status = getaddrinfo(SlowResolver.host, nil, nil, nil)
                let elapsed = ContinuousClock().now - start
                var result: UnsafeMutablePointer<addrinfo>?
                guard status == EAI_NONAME, elapsed >= SlowResolver.delay, elapsed < SlowResolver.delay * 2,
                    getaddrinfo("localhost", nil, nil, &result) == 0
                else { ThisProcess.fail("status \(status) after \(elapsed)") }
            }
        }
        expectNothingPrinted(by: child)
    }

    #if Server
    @Test(.enabled(if: PythonPeer.isInstalled)) func thePythonPeerListensTwice() async throws {
        let peer = try await PythonPeer.shared
        for url in [peer.url("/echo"), peer.url("/echo", isSecure: true)] {
            let port = try #require(URL(string: url)?.port)
            #expect(Listener.accepts(port: port), "\(url)")
        }
    }
    #endif

    @Test(.enabled(if: Tinyproxy.isInstalled)) func tinyproxyListensAndHasNoTunnelYet() async throws {
        let proxy = try await Tinyproxy.shared
        #expect(Listener.accepts(port: proxy.port))
        #expect(proxy.tunnels(to: 1) == 0)
    }
}
#endif
