#if os(Linux) && Server
import Foundation
import HTTPTypes
import NetCore
import NetSocket
import NetTestServer
import NetTesting
import Testing

/// Servers that reject the handshake, or accept it incorrectly.
@Suite(.timeLimit(.minutes(1)))
struct RefusalTests {
    /// Checks the contents of every error of a failed connection, and the parts that it must not contain.
    private func check(_ error: NetError, _ code: NetError.Code, _ location: SourceLocation = #_sourceLocation) {
        #expect(error.code == code, "\(error)", sourceLocation: location)
        let answerPhases: [NetError.Phase] = [.waiting, .receiving, .validating]
        #expect(answerPhases.contains(error.phase), "\(error)", sourceLocation: location)
        #expect(error.elapsed != nil, sourceLocation: location)
        #expect(error.url?.contains("/peer") == true, sourceLocation: location)
        for text in [error.description, error.url ?? "", "\(error.call as Any)"] {
            #expect(!text.contains("geheim"), sourceLocation: location)
        }
    }

    private func refusal(
        by steps: ScriptedPeer.Step..., subprotocols: [String] = [], _ location: SourceLocation = #_sourceLocation
    ) async throws -> NetError {
        let peer = try ScriptedPeer(steps: [.readHead] + steps)
        defer { peer.stop() }
        return try await Fixture.run { fixture in
            let error = try await fixture.refusal(
                WebSocketRequest(
                    url: peer.url + "?token=geheim", subprotocols: subprotocols, connectTimeout: .seconds(5)),
                location)
            let isIdle = await fixture.hasNoConnections()
            #expect(isIdle, sourceLocation: location)
            return error
        }
    }

    @Test(arguments: [200, 300, 401, 403, 404, 500, 503]) func anotherStatusIsAnErrorWithTheResponse(
        _ status: Int
    ) async throws {
        let error = try await refusal(
            by: .send("HTTP/1.1 \(status) Whatever\r\nLocation: /else\r\nContent-Length: 12\r\n\r\nnot for you\n"))
        check(error, .unacceptableStatus)
        #expect(error.status == status)
        #expect(error.response?.head.headers[.location] == "/else")
        #expect(error.response.map { String(decoding: $0.body, as: UTF8.self) } == "not for you\n")
    }

    /// Some servers close without a word, others send an alert of TLS.
    @Test func aPortThatExpectsTLSIsRecognized() async throws {
        let server = try await TestServer.start(webSockets: [.echo("/peer")], configuration: .tls())
        let alert = try ScriptedPeer(steps: [
            .readHead, .send(String(decoding: [21, 3, 3, 0, 2, 2, 70], as: UTF8.self)),
        ])
        defer { alert.stop() }
        try await Fixture.run { fixture in
            for url in [server.webSocketURL.replacing("wss:", with: "ws:") + "/peer", alert.url] {
                let error = try await fixture.refusal(WebSocketRequest(url: url, connectTimeout: .seconds(5)))
                #expect(error.message.contains("is this a port for wss?"), "\(error)")
            }
        }
        await server.stop()
    }

    @Test(.enabled(if: PythonPeer.isInstalled)) func aRealServerRefuses() async throws {
        let url = try await PythonPeer.shared.url("/refuse?token=geheim")
        try await Fixture.run { fixture in
            let error = try await fixture.refusal(WebSocketRequest(url: url))
            #expect(error.code == .unacceptableStatus)
            #expect(error.status == 403)
            #expect(error.response.map { String(decoding: $0.body, as: UTF8.self) } == "not for you\n")
            #expect(!error.description.contains("geheim"))
        }
    }

    @Test func aStubOfTheTestServerRefuses() async throws {
        let server = try await TestServer.start(
            [Stub(.get, "/peer", .text("members only", status: .forbidden))], webSockets: [.echo()])
        try await Fixture.run { fixture in
            let error = try await fixture.refusal(WebSocketRequest(url: server.webSocketURL + "/peer"))
            check(error, .unacceptableStatus)
            #expect(error.status == 403)
            let missing = try await fixture.refusal(WebSocketRequest(url: server.webSocketURL + "/nowhere"))
            #expect(missing.status == 404)
        }
        await server.stop()
    }

    @Test(arguments: [
        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
        "Upgrade: websocket\r\nConnection: Upgrade\r\n", "",
    ])
    func aWrongOrMissingAcceptValueIsAViolation(_ headers: String) async throws {
        check(try await refusal(by: .send("HTTP/1.1 101 Ja\r\n\(headers)\r\n")), .protocolViolation)
    }

    @Test func anAnswerWithoutUpgradeOrConnectionIsAViolation() async throws {
        for missing in ["Upgrade: websocket\r\n", "Connection: Upgrade\r\n"] {
            let peer = try ScriptedPeer(answering: { head in
                let answer = String(decoding: Handshake.answer(to: head), as: UTF8.self)
                return Array(answer.replacing(missing, with: "").utf8)
            })
            defer { peer.stop() }
            try await Fixture.run { fixture in
                check(try await fixture.refusal(WebSocketRequest(url: peer.url)), .protocolViolation)
            }
        }
    }

    @Test func unofferedSubprotocolsAndExtensionsAreProtocolViolations() async throws {
        for field in ["Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Extensions: permessage-deflate"] {
            check(try await refusal(by: .accept(headers: field + "\r\n")), .protocolViolation)
        }
        let other = try await refusal(
            by: .accept(headers: "Sec-WebSocket-Protocol: news\r\n"), subprotocols: ["chat", "mail"])
        check(other, .protocolViolation)
    }

    @Test func aHeadWithoutEndIsAViolation() async throws {
        let line = "X-More: " + String(repeating: "x", count: 8000) + "\r\n"
        let error = try await refusal(
            by: .send("HTTP/1.1 101 Ja\r\n" + String(repeating: line, count: 40)), .wait(.seconds(2)))
        check(error, .protocolViolation)
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9.2p1\r\n", "\u{0}\u{1}\u{2}\u{3}\u{4}\r\n\r\n", "HTTP/1.1\r\n\r\n"])
    func nonHTTPResponsesAreProtocolViolations(_ answer: String) async throws {
        check(try await refusal(by: .send(answer), .close), .protocolViolation)
    }

    @Test func anAnswerThatBreaksOffIsALostConnection() async throws {
        for end in [ScriptedPeer.Step.close, .reset] {
            for start in ["", "HTTP/1.1 101 Switching Proto"] {
                check(try await refusal(by: .send(start), end), .connectionLost)
            }
        }
    }

    @Test func anAnswerInSinglesBytesIsUnderstood() async throws {
        let peer = try ScriptedPeer(answering: { Handshake.answer(to: $0) + TestFrame.text("hello").bytes }, pieces: 1)
        defer { peer.stop() }
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(peer.url)
            let message = try await socket.receive()
            #expect(message == .text("hello"))
        }
    }

    @Test func framesInTheSamePacketAsTheAnswerAreNotLost() async throws {
        let frames = (0..<100).flatMap { TestFrame.text("\($0)").bytes }
        let peer = try ScriptedPeer(answering: { Handshake.answer(to: $0) + frames })
        defer { peer.stop() }
        try await Fixture.run { fixture in
            let socket = try await fixture.client.connect(peer.url)
            for number in 0..<100 {
                let message = try await socket.receive()
                #expect(message == .text("\(number)"))
            }
        }
    }

    @Test(arguments: ["127.0.0.1", "ws://", "", "ws://[::1", "ftp://localhost/"])
    func anAddressThatIsNoWebSocketIsRefused(_ url: String) async throws {
        try await Fixture.run { fixture in
            let error = try await fixture.refusal(WebSocketRequest(url: url))
            #expect(error.code == .invalidRequest, "\(error)")
            #expect(error.phase == .preparing, "\(error)")
        }
    }

    @Test(arguments: ["Sec-WebSocket-Key", "Upgrade", "Host", "Sec-WebSocket-Version"])
    func theHandshakesOwnFieldsCannotBeSet(_ name: String) async throws {
        let peer = try ScriptedPeer.accepting()
        defer { peer.stop() }
        var request = WebSocketRequest(url: peer.url)
        request.headers[try #require(HTTPField.Name(name))] = "mine"
        try await Fixture.run { fixture in
            // Rejected or omitted: it must not be sent.
            _ = try? await fixture.client.connect(request)
            #expect(peer.heads.allSatisfy { !$0.contains("mine") })
        }
    }
}
#endif
