#if os(Linux)
@testable import ClientTestSupport
import Glibc
import NetHTTP
import TestSupport
import Testing

struct BurstTests {
    /// Bytes that arrive shortly after others, with none after them: only the loop's own timer can wake the consumer.
    /// Other wake-ups of the loop are half a second away, which is too late for the limit when it happens a thousand
    /// times.
    @Test(.timeLimit(.minutes(3))) func theLastBytesBeforeASilenceReachTheReader() async throws {
        let received = Locked(0)
        let peer = try ScriptedPeer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n")
            for round in 1...1000 {
                for _ in 0..<10 {
                    connection.send("x")
                    usleep(50)
                }
                while received.value < round * 10 { usleep(50) }
            }
        }
        defer {
            received.change { $0 = .max }
            peer.stop()
        }
        let client = HTTPClient(baseURL: peer.baseURL)
        let response = try await client.stream(Request<Bytes>("burst", serializer: .bytes))
        for try await chunk in response.body { received.change { $0 += chunk.count } }
        #expect(received.value == 10_000)
    }
}
#endif
