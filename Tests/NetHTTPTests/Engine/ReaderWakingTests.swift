#if os(Linux)
import Glibc
import NetHTTP
import Testing

@testable import NetCurl

/// A reader is woken at once after a silence, and seldom while bytes pour in.
struct ReaderWakingTests {
    private let start: UInt64 = 5_000_000_000

    /// The decisions over (time, bytes received), one after the other.
    private func decisions(_ steps: [(UInt64, Int64)], isPaused: Bool = false) -> [Bool] {
        var waking = ReaderWaking()
        return steps.map { waking.isDue(now: start + $0.0, received: $0.1, isPaused: isPaused) }
    }

    @Test func theFirstBytesWakeTheReader() {
        #expect(decisions([(0, 1)]) == [true])
    }

    @Test func aFewMoreBytesWaitForTheEndOfTheInterval() {
        let end = ReaderWaking.interval
        #expect(decisions([(0, 1), (end - 1, 2), (end, 2), (end + 1, 3)]) == [true, false, true, false])
    }

    @Test func theLoopIsToldWhenThatIs() {
        var waking = ReaderWaking()
        _ = waking.isDue(now: start, received: 1, isPaused: false)
        #expect(waking.next == start + ReaderWaking.interval)
    }

    @Test func manyBytesDoNotWait() {
        let much = ReaderWaking.much
        #expect(decisions([(0, 1), (1, much), (2, much + 1), (3, much + 2)]) == [true, false, true, false])
    }

    @Test func aPausedTransferDoesNotWait() {
        #expect(decisions([(0, 1), (1, 2)], isPaused: true) == [true, true])
    }

    /// Bytes that come shortly after others, and nothing after them: only the loop's own timer can wake the reader. What else
    /// wakes the loop is half a second away, which a thousand times are too late for the limit.
    @Test(.timeLimit(.minutes(1))) func theLastBytesBeforeASilenceReachTheReader() async throws {
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
        let client = HTTPClient(configuration: .init(baseURL: try BaseURL(peer.baseURL)))
        let response = try await client.stream(Request<Bytes>("burst", serializer: .bytes))
        for try await chunk in response.body { received.change { $0 += chunk.count } }
        #expect(received.value == 10_000)
    }
}
#endif
