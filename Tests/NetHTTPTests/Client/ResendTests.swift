#if os(Linux)
import Foundation
import HTTPTypes
import NetHTTP
import Testing

/// A connection that was used before may be closed by the server while the next request is on its way.
@Suite(.timeLimit(.minutes(1))) struct ResendTests {
    /// Answers the first request of each connection; the second it reads whole and closes. Returns what arrived, in order.
    private func arrivals(of request: Request<String>) async throws -> (heads: [String], error: NetError?) {
        let heads = Locked<[String]>([])
        let peer = try ScriptedPeer { connection, _ in
            for isFirst in [true, false] {
                guard let head = connection.readHead() else { return }
                _ = connection.read(head.contains("Content-Length: 4") ? 4 : 0)
                heads.change { $0.append(String(head.prefix { $0 != "\r\n" })) }
                if isFirst { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
            }
        }
        let client = HTTPClient(
            configuration: .init(baseURL: try BaseURL(peer.baseURL)), transport: CurlTransport())
        _ = try await client.send(Request<String>("warm", serializer: .string))
        var error: NetError?
        do {
            _ = try await client.send(request)
        } catch let failure {
            error = failure.netError
        }
        await client.shutdown()
        peer.stop()
        return (heads.value, error)
    }

    @Test(arguments: [RequestBody.text("body"), .none]) func aPostIsNeverSentTwice(body: RequestBody) async throws {
        let request = Request<String>("pay", method: .post, body: body, serializer: .string)
        let (heads, error) = try await arrivals(of: request)
        #expect(heads == ["GET /warm HTTP/1.1", "POST /pay HTTP/1.1"])
        #expect(error?.code == .connectionLost)
        #expect(error?.message.contains("not sent again") == true)
    }

    @Test func whatMayBeRepeatedIsSentOnAnotherConnection() async throws {
        var keyed = Request<String>("pay", method: .post, body: .text("body"), serializer: .string)
        keyed.options.idempotencyKey = "once"
        let put = Request<String>("pay", method: .put, body: .text("body"), serializer: .string)
        for request in [Request<String>("pay", serializer: .string), put, keyed] {
            let (heads, error) = try await arrivals(of: request)
            #expect(error == nil)
            #expect(heads.count == 3)
        }
    }

    @Test func aRequestThatForbidsItIsNotRepeated() async throws {
        var request = Request<String>("pay", serializer: .string)
        request.options.retry = .never
        let (heads, error) = try await arrivals(of: request)
        #expect(heads.count == 2)
        #expect(error?.code == .connectionLost)
    }

    /// What has gone out the second time is counted from its beginning.
    @Test func aLargeBodyThatGoesOutAgainIsNoStall() async throws {
        let count = 32 << 20
        let peer = try ScriptedPeer { connection, number in
            if number == 0 {
                _ = connection.readHead()
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            guard connection.readHead() != nil else { return }
            // Longer than the stall time-out, in steps that are shorter.
            for _ in 0..<16 {
                _ = connection.read(count / 16)
                usleep(200_000)
            }
            if number == 0 { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let client = HTTPClient(
            configuration: .init(baseURL: try BaseURL(peer.baseURL)), transport: CurlTransport())
        _ = try await client.send(Request<String>("warm"))
        var request = Request<String>("x", method: .put, body: .bytes(Bytes([UInt8](repeating: 7, count: count))))
        request.options.timeouts = Timeouts(stall: .seconds(1))
        #expect(try await client.send(request) == "ok")
        await client.shutdown()
        peer.stop()
    }
}
#endif
