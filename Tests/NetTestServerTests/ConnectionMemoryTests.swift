#if Server && os(Linux)
import Foundation
import NetTestServer
import NetTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ConnectionMemoryTests {
    /// The size of the process's writable memory: reserved memory counts even if it isn't used.
    private static var dataBytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = status.split(separator: " ").dropFirst(5).first.flatMap { Int($0) } ?? 0
        return pages * Int(getpagesize())
    }

    /// In a separate process, whose memory is only the server's.
    @Test func anOpenHTTP2ConnectionTakesLittleMemory() async {
        await #expect(processExitsWith: .success) {
            let server = try await TestServer.start([.echo()])
            let port = server.port
            let bytesEach = try await offPool {
                // One-time allocations are made with the first ones.
                var clients = try (0..<50).map { _ in try Self.client(port: port) }
                let before = Self.dataBytes
                clients += try (0..<200).map { _ in try Self.client(port: port) }
                return (Self.dataBytes - before) / 200
            }
            #expect(bytesEach < 128 << 10)
            await server.stop()
        }
    }

    /// Returns a client that has sent its preface and read the server's settings.
    private static func client(port: Int) throws -> RawSocket {
        let client = try RawSocket(port: port)
        client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        client.send([0, 0, 0, 4, 0, 0, 0, 0, 0] as [UInt8])
        _ = try client.receive()
        return client
    }
}
#endif
