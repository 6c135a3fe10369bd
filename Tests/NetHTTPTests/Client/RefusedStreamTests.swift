#if Server
import Foundation
import HTTPTypes
import NetHTTP
import TestSupport
import Testing

@testable import ClientTestSupport
@testable import NetCurl

/// nginx, which ends an HTTP/2 connection after `keepalive_requests`: what it hasn't processed is sent again (RFC 9113
/// sections 6.8 and 8.7), whatever its method, and once.
@Suite(.enabled(if: Nginx.program.path != nil), .timeLimit(.minutes(2))) struct RefusedStreamTests {
    private static let rounds = ProcessInfo.processInfo.environment["NET_SOAK"] == "1" ? 5 : 1

    /// Sends requests over HTTP/2, `width` at a time, and compares what nginx has seen.
    private func send(
        _ count: Int, width: Int, keepalive: String, _ method: @escaping @Sendable (Int) -> HTTPRequest.Method
    ) async throws {
        try await TemporaryFolder.with { folder in
            let log = "access_log \(folder.path("seen")) seen; location / { return 200 'ok'; } \(keepalive)"
            let format = "log_format seen '$request_method $uri';"
            try await NginxSite.withHTTP2(log, settings: format) { client, _ in
                // nginx may have processed a POST whose response the reset at the end of the connection has destroyed.
                let unexplained = Locked<[String]>([])
                let next = Locked(0)
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<width {
                        group.addTask {
                            while true {
                                var number = 0
                                next.change {
                                    number = $0
                                    $0 += 1
                                }
                                guard number < count else { return }
                                do {
                                    let body: RequestBody = method(number) == .post ? .text("hello") : .none
                                    _ = try await client.send(
                                        Request<String>("\(number)", method: method(number), body: body))
                                } catch {
                                    guard NetError(error)?.mayHaveArrived != true else { continue }
                                    unexplained.change { $0.append("\(error)") }
                                }
                            }
                        }
                    }
                }
                #expect(unexplained.value == [])
            }
            // nginx has ended, and written its log.
            let seen = try folder.text(of: "seen").split(separator: "\n").filter { $0.hasPrefix("POST") }
            let posts = (0..<count).filter { method($0) == .post }
            #expect(seen.count == posts.count)
            #expect(Set(seen) == Set(posts.map { "POST /\($0)" }))
        }
    }

    @Test func noneOf5000IsLostAtTheDefault() async throws {
        for _ in 0..<Self.rounds { try await send(5000, width: 50, keepalive: "") { _ in .post } }
    }

    @Test func noneIsLostWithSevenRequestsAConnection() async throws {
        for _ in 0..<Self.rounds { try await send(60, width: 60, keepalive: "keepalive_requests 7;") { _ in .post } }
    }

    @Test func noneIsLostAmongGETs() async throws {
        for _ in 0..<Self.rounds {
            try await send(600, width: 60, keepalive: "keepalive_requests 7;") { $0 % 2 == 0 ? .post : .get }
        }
    }
}

/// Streams in libcurl's messages.
struct CurlMessageTests {
    @Test(arguments: [
        ("POST /x HTTP/1.1\r\nHost: a\r\n\r\n", true), ("GET /x HTTP/1.0\r\n", true),
        ("POST /x HTTP/2\r\nHost: a\r\n", false),
        ("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n", false), ("POST /HTTP/1.1", false), ("HTTP/1.", false), ("\n", false),
        ("", false),
    ]) func aRequestOverHTTP1IsRecognized(head: String, isHTTP1: Bool) {
        let bytes = Array(head.utf8)
        #expect(bytes.withUnsafeBytes { CurlMessage.isHTTP1($0) } == isHTTP1)
    }

    /// As written by libcurl 7.88.1, 8.1.0, 8.5.0 and 8.21.0.
    @Test(arguments: [
        ("Using Stream ID: 37 (easy handle 0x55a1681e7b50)\n", CurlMessage.openedStream(37)),
        ("[HTTP/2] [5] OPENED stream for https://127.0.0.1/\n", .openedStream(5)),
        ("recveived GOAWAY, error=0, last_stream=13\n", .wentAway(lastStream: 13)),
        ("received GOAWAY, error=11, last_stream=2147483647\n", .wentAway(lastStream: 2_147_483_647)),
        ("Connection died, retrying a fresh connect (retry count: 1)\n", .connectionDied),
        ("Excess found in a read: excess = 3\n", .excess),
    ]) func aMessageIsRead(_ text: String, _ message: CurlMessage) {
        #expect(Array(text.utf8).withUnsafeBytes { CurlMessage($0) } == message)
    }

    @Test(arguments: [
        "", "U", "Using Stream ID: ", "Using Stream ID: x", "[HTTP/2] [5] [:method: GET]\n", "received GOAWAY",
        "received GOAWAY, error=0, last_stream=", "received GOAWAY, error=0, last_stream=99999999999999999999999",
        "Connection #0 to host localhost left intact", "[", "E", "Connected to 127.0.0.1",
    ]) func otherTextIsNone(_ text: String) {
        #expect(Array(text.utf8).withUnsafeBytes { CurlMessage($0) } == nil)
    }

    @Test func aStreamAboveTheLastOneIsRefused() {
        let (one, two) = (
            RefusedStreams.Connection(address: "127.0.0.1", port: 443, localPort: 50_000),
            RefusedStreams.Connection(address: "127.0.0.2", port: 443, localPort: 50_000)
        )
        var streams = RefusedStreams()
        for stream in [1, 3, 5] { streams.opened(stream, on: one) }
        streams.wentAway(one, after: 2_147_483_647)
        #expect(!streams.contains(5, of: one))
        streams.wentAway(one, after: 3)
        // Numbers never get larger.
        streams.wentAway(one, after: 5)
        #expect(!streams.contains(3, of: one))
        #expect(streams.contains(5, of: one))
        #expect(!streams.contains(5, of: two))
        #expect(!streams.contains(0, of: one))
        // A new connection with the same ports.
        streams.opened(1, on: one)
        #expect(!streams.contains(5, of: one))
        #expect(streams.isAlone(1, on: one))
        streams.opened(3, on: one)
        #expect(!streams.isAlone(1, on: one))
        #expect(!streams.isAlone(3, on: one))
        streams.wentAway(two, after: 1)
        #expect(!streams.isAlone(1, on: two))
        streams.removeAll()
        #expect(streams.isEmpty)
    }
}
#endif
