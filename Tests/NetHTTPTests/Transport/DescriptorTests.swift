#if os(Linux)
@testable import ClientTestSupport
import Glibc
import NetHTTP
import Testing

@Suite(.timeLimit(.minutes(1))) struct DescriptorTests {
    @Test func callsWithoutAFileDescriptorFailAndLaterCallsSucceed() async throws {
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let peer = try RawPeer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .none
            let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport(configuration: configuration))
            try await client.send(Request<String>("x"))
            var taken: [Int32] = []
            repeat { taken.append(dup(0)) } while taken.last != -1
            let error = try await failure { try await client.send(Request<String>("x")) }
            for descriptor in taken where descriptor >= 0 { close(descriptor) }
            guard error.code == .connect, error.message.contains("no file descriptor left") else {
                ThisProcess.fail("\(error)")
            }
            try await client.send(Request<String>("x"))
        }
        #expect(String(decoding: child?.standardErrorContent ?? [], as: UTF8.self) == "")
    }

    /// The loop needs several descriptors: with any smaller number available, the error gives the cause.
    @Test func aLoopThatCannotStartSaysSo() async throws {
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let peer = try RawPeer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
            var configuration = CurlTransport.Configuration()
            configuration.proxy = .none
            func client() throws -> HTTPClient {
                HTTPClient(baseURL: peer.baseURL, transport: CurlTransport(configuration: configuration))
            }
            var failures = 0
            for left in 0...8 {
                var taken: [Int32] = []
                repeat { taken.append(dup(0)) } while taken.last != -1
                taken.removeLast()
                for _ in 0..<left { close(taken.removeLast()) }
                let poor = try client()
                do {
                    try await poor.send(Request<String>("x"))
                } catch {
                    failures += 1
                    let reason = NetError(error)
                    guard let reason, reason.code != .shutdown, reason.message.contains("descriptor") else {
                        ThisProcess.fail("\(left) descriptors left: \(error)")
                    }
                }
                for descriptor in taken { close(descriptor) }
            }
            guard failures >= 3 else { ThisProcess.fail("only \(failures) failures") }
            _ = try await client().send(Request<String>("x"))
        }
        #expect(String(decoding: child?.standardErrorContent ?? [], as: UTF8.self) == "")
    }
}
#endif
