#if Server
import Foundation
import HTTPTypes
import NetHTTP
import NetTesting
import TestSupport
import Testing

@testable import ClientTestSupport

/// Real servers that refuse a body before they have read it: the refusal is the response, also over the default version,
/// in which libcurl would lose it.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["NET_SOAK"] == "1"), .timeLimit(.minutes(3)))
struct EarlyRefusalTests {
    private static let rounds = 5

    /// Over HTTP/1.1, a refusal may be lost too: the server closes the connection while the body is being sent.
    @Test(arguments: RefusingPeer.installed, [100_000, 2_000_000, 50_000_000])
    func theRefusalOfALargeBodyIsItsResponse(_ peer: RefusingPeer, _ size: Int) async throws {
        try await peer.run { client in
            let body = Bytes([UInt8](repeating: 7, count: size))
            var (isRefused, round) = (false, 0)
            // Over HTTP/2, none ever arrives from HAProxy and h2o.
            while !isRefused, round < 50 {
                round += 1
                let stream = AsyncStream {
                    for start in Swift.stride(from: 0, to: size, by: 50_000) { $0.yield(body[start..<start + 50_000]) }
                    $0.finish()
                }
                let request = Request<Void>(
                    "file", method: .post,
                    body: round % 2 == 0 ? .bytes(body) : .stream(stream, length: Int64(size)))
                let error = await #expect(throws: APIError<Never>.self) { try await client.send(request) }
                let failure = try #require(error?.netError)
                isRefused = failure.status == peer.status
                if !isRefused { #expect(failure.code == .connectionLost) }
            }
            #expect(isRefused)
        }
    }

    /// h2o refuses the stream each time; HTTP/1.1 gets the 413. On a connection that was used before, libcurl doesn't
    /// say why a stream ended, and a POST isn't sent again.
    @Test(arguments: [HTTPRequest.Method.post, .put], [2_000, 30_000])
    func aRefusedStreamGetsItsStatusOverHTTP1(_ method: HTTPRequest.Method, _ size: Int) async throws {
        guard RefusingPeer.installed.contains(.h2o) else { return }
        try await RefusingPeer.h2o.run { client in
            for _ in 0..<(method == .post ? 1 : Self.rounds) {
                let request = Request<Void>("file", method: method, body: .bytes([UInt8](repeating: 7, count: size)))
                let error = await #expect(throws: APIError<Never>.self) { try await client.send(request) }
                #expect(error?.netError?.status == 413, "\(error as Any)")
            }
            // Others aren't affected.
            let small = await #expect(throws: APIError<Never>.self) {
                try await client.send(Request<Void>("file", method: .post, body: .text("small")))
            }
            let status = try #require(small?.netError?.status)
            #expect(status != 413)
        }
    }

    /// A small body that may be sent twice: a lost refusal is asked for once more, over HTTP/1.1.
    @Test(arguments: RefusingPeer.installed.filter { $0 != .h2o })
    func aLostRefusalOfASmallBodyIsAskedForAgain(_ peer: RefusingPeer) async throws {
        try await peer.run { client in
            // A larger one may be lost over HTTP/1.1 as well.
            for size in [1, 1_000] {
                for _ in 0..<(10 * Self.rounds) {
                    let body = RequestBody.bytes([UInt8](repeating: 7, count: size))
                    let error = await #expect(throws: APIError<Never>.self) {
                        try await client.send(Request<Void>("file", method: .put, body: body))
                    }
                    #expect(error?.netError?.status == 403, "\(size): \(error as Any)")
                }
            }
        }
    }

    /// A small POST may be lost: then the error says why, and what to do.
    @Test(arguments: RefusingPeer.installed.filter { $0 != .h2o })
    func aLostRefusalOfAPOSTSaysWhatToDo(_ peer: RefusingPeer) async throws {
        try await peer.run { client in
            for _ in 0..<(20 * Self.rounds) {
                let error = await #expect(throws: APIError<Never>.self) {
                    try await client.send(Request<Void>("file", method: .post, body: .text("x")))
                }
                let failure = try #require(error?.netError)
                guard failure.status != 403 else { continue }
                #expect(failure.code == .connectionLost)
                #expect(failure.mayHaveArrived)
                #expect(failure.message.contains("version = .http1"), "\(failure)")
            }
        }
    }
}

/// Connections that break after the head of a response: the head counts.
@Suite(.timeLimit(.minutes(1))) struct ArrivedHeadTests {
    private func run(
        _ script: @escaping @Sendable (ScriptedPeer.Connection) -> Void, _ body: (HTTPClient) async throws -> Void
    ) async throws {
        let peer = try ScriptedPeer { connection, _ in script(connection) }
        let client = HTTPClient(baseURL: peer.baseURL)
        try await body(client)
        await client.shutdown()
        peer.stop()
    }

    /// icecast refuses a source in this way: a whole head, and then the end while the source is being sent.
    @Test(arguments: [401, 403, 413, 503]) func aRefusalWhoseBodyBreaksIsTheResponse(_ status: Int) async throws {
        try await run { connection in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 \(status) No\r\nContent-Length: 100\r\nX-Reason: full\r\n\r\nonly a part")
            // The head is read before the connection is reset by the unread bytes.
            usleep(300_000)
        } _: { client in
            let body = RequestBody.bytes([UInt8](repeating: 7, count: 3_000_000))
            for isStreamed in [false, true] {
                let request = Request<Void>("x", method: .post, body: body)
                let failure = await #expect(throws: APIError<Never>.self) {
                    if isStreamed { _ = try await client.stream(request) } else { try await client.send(request) }
                }
                let error = failure?.netError
                #expect(error?.code == .unacceptableStatus, "\(error as Any)")
                #expect(error?.status == status)
                #expect(error?.response?[HTTPField.Name("X-Reason")] == "full")
                #expect(error?.response?.text == "only a part")
                #expect(error?.isConnectivity == false)
                #expect(error?.mayHaveArrived == true)
            }
        }
    }

    /// icecast refuses a source whose password is wrong.
    @Test(.enabled(if: IcecastPeer.program.path != nil)) func theRefusalOfIcecastIsTheResponse() async throws {
        let peer = try await offPool { try IcecastPeer() }
        let client = HTTPClient(baseURL: try BaseURL("http://127.0.0.1:\(peer.port)"))
        var (isRefused, round) = (false, 0)
        // curl also gets it nearly always, and sometimes only the reset.
        while !isRefused, round < 50 {
            round += 1
            let body = RequestBody.bytes([UInt8](repeating: 7, count: 3_000_000), contentType: "audio/mpeg")
            var request = Request<Void>("x.mp3", method: .put, body: body)
            // source:wrong
            request.headers[.authorization] = "Basic c291cmNlOndyb25n"
            let error = await #expect(throws: APIError<Never>.self) { try await client.send(request) }
            let failure = try #require(error?.netError)
            isRefused = failure.status == 401
            if !isRefused { #expect(failure.code == .connectionLost) }
        }
        #expect(isRefused)
        await client.shutdown()
        withExtendedLifetime(peer) {}
    }

    @Test func aSuccessWhoseBodyBreaksIsALostConnectionWithItsStatus() async throws {
        try await run { connection in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\nonly a part")
        } _: { client in
            let error = await #expect(throws: APIError<Never>.self) {
                try await client.send(Request<String>("x", method: .post, body: .text("hello")))
            }
            #expect(error?.netError?.code == .connectionLost)
            #expect(error?.netError?.status == 201)
            #expect(error?.netError?.mayHaveArrived == true)
        }
    }

    @Test func aRequestThatWasNotSentHasNotArrived() async throws {
        let port = try Listener.freePort()
        let client = HTTPClient(baseURL: try BaseURL("http://127.0.0.1:\(port)"))
        let error = await #expect(throws: APIError<Never>.self) {
            try await client.send(Request<Void>("x", method: .post, body: .text("hello")))
        }
        #expect(error?.netError?.code == .connect)
        #expect(error?.netError?.mayHaveArrived == false)
        await client.shutdown()
    }

    @Test func aRequestWithoutAResponseMayHaveArrived() async throws {
        try await run { connection in
            _ = connection.readHead()
        } _: { client in
            let error = await #expect(throws: APIError<Never>.self) {
                try await client.send(Request<Void>("x", method: .post, body: .text("hello")))
            }
            #expect(error?.netError?.code == .connectionLost)
            #expect(error?.netError?.mayHaveArrived == true)
        }
    }
}
#endif
