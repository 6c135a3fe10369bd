#if os(Linux)
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import TestSupport
import Testing

/// The server may close a reused connection while the next request is in transit.
@Suite(.timeLimit(.minutes(1))) struct ResendTests {
    /// Responds to the first request on each connection; reads the second one completely and closes. Returns the
    /// received requests, in order.
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
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport())
        try await client.send(Request<String>("warm", serializer: .string))
        var error: NetError?
        do {
            try await client.send(request)
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

    @Test func idempotentRequestsAreResentOnAnotherConnection() async throws {
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

    /// Resets each connection on its second request, like a server or a gateway that has lost its state. Responds to
    /// the first request once `together` connections have one.
    private func forgetfulPeer(together: Int) throws -> ScriptedPeer {
        let count = Locked(0)
        return try ScriptedPeer { connection, _ in
            guard connection.readHead() != nil else { return }
            count.change { $0 += 1 }
            while count.value < together { usleep(1000) }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            // Closing with unread bytes causes a reset.
            _ = connection.read(1)
        }
    }

    /// libcurl counts resends per handle instead of per request, and stops after five.
    @Test func oneCallAfterAnotherFindsItsConnectionReset() async throws {
        let peer = try forgetfulPeer(together: 1)
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport())
        for _ in 0..<20 {
            #expect(try await client.send(Request<String>("x")) == "ok")
            for try await line in try await client.send(Request("x", serializer: .lines)) { #expect(line == "ok") }
        }
        await client.shutdown()
        peer.stop()
    }

    @Test func aCallThatFindsAllConnectionsResetMakesAnother() async throws {
        let peer = try forgetfulPeer(together: 8)
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport())
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try await client.send(Request<String>("x")) } }
            try await group.waitForAll()
        }
        #expect(try await client.send(Request<String>("x")) == "ok")
        await client.shutdown()
        peer.stop()
    }

    /// The progress of the second transmission is counted from its beginning.
    @Test func aLargeBodyThatGoesOutAgainIsNoStall() async throws {
        let count = 32 << 20
        let peer = try ScriptedPeer { connection, number in
            if number == 0 {
                _ = connection.readHead()
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
            guard connection.readHead() != nil else { return }
            // Longer than the stall timeout, in shorter steps.
            for _ in 0..<16 {
                _ = connection.read(count / 16)
                usleep(200_000)
            }
            if number == 0 { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let client = HTTPClient(baseURL: peer.baseURL, transport: CurlTransport())
        try await client.send(Request<String>("warm"))
        var request = Request<String>("x", method: .put, body: .bytes([UInt8](repeating: 7, count: count)))
        request.options.timeouts = Timeouts(stall: .seconds(2))
        #expect(try await client.send(request) == "ok")
        await client.shutdown()
        peer.stop()
    }
}
#endif
