#if os(Linux)
@testable import ClientTestSupport
import HTTPTypes
import NetHTTP
import TestSupport
import Testing

/// An HTTP/2 server that ends its connection with a GOAWAY (RFC 9113 section 6.8).
@Suite(.timeLimit(.minutes(1))) struct GoAwayTests {
    private enum Frame {
        /// No stream was processed; no error.
        static let goAway = HTTP2Frame.bytes(7, 0, 0, [UInt8](repeating: 0, count: 8))
        /// `:status: 200`, `content-length: 2`, and the body.
        static let response =
            HTTP2Frame.bytes(1, 4, 1, [0x88, 0x0f, 0x0d, 0x01, 0x32]) + HTTP2Frame.bytes(0, 1, 1, Array("ok".utf8))
    }

    /// Ends the first `count` connections after their request has arrived, and responds on the others. Returns the
    /// number of requests, and the call's result.
    private func call(
        method: HTTPRequest.Method, ends count: Int
    ) async throws -> (requests: Int, result: Result<String, NetError>) {
        let requests = Locked(0)
        let peer = try ScriptedPeer { connection, number in
            guard connection.read(24).count == 24 else { return }
            connection.send(HTTP2Frame.settings)
            while true {
                let head = connection.read(9)
                guard head.count == 9 else { return }
                _ = connection.read(Int(head[1]) << 8 | Int(head[2]))
                guard head[3] == 1 else { continue }
                requests.change { $0 += 1 }
                connection.send(number < count ? Frame.goAway : Frame.response)
                // Not closed immediately: with unread bytes that would be a reset, which can overtake the frame.
                if number < count { return connection.waitForClose() }
            }
        }
        var configuration = CurlTransport.Configuration()
        configuration.version = .http2PriorKnowledge
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport(configuration: configuration))
        let result: Result<String, NetError>
        do {
            result = .success(try await client.send(Request<String>("x", method: method)))
        } catch {
            result = .failure(try #require(error.netError))
        }
        await client.shutdown()
        peer.stop()
        return (requests.value, result)
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func aRequestThatWasNotProcessedIsSentAgain(_ method: HTTPRequest.Method) async throws {
        let (requests, result) = try await call(method: method, ends: 1)
        #expect(requests == 2)
        #expect(try result.get() == "ok")
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func aServerThatEndsEveryConnectionIsNotAskedForEver(_ method: HTTPRequest.Method) async throws {
        let (requests, result) = try await call(method: method, ends: .max)
        #expect((1...7).contains(requests))
        #expect(throws: NetError.self) { try result.get() }
    }
}
#endif
