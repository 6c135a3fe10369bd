import HTTPTypes
import NetCore
import NetSocketCore
import Testing

/// RFC 6455 section 4.2: the requests that a server accepts, and its responses.
struct ServerHandshakeTests {
    private let good: HTTPFields = [
        .upgrade: "websocket", .connection: "keep-alive, Upgrade", .secWebSocketVersion: "13",
        .secWebSocketKey: "dGhlIHNhbXBsZSBub25jZQ==",
    ]

    @Test func theExampleOfTheSpecificationIsAnswered() throws {
        let answer = try ServerHandshake.accept(method: .get, headers: good, subprotocols: [])
        #expect(
            answer.headers == [
                .upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
            ])
        #expect(answer.subprotocol == nil)
        #expect(answer.compression == nil)
    }

    @Test func theClientsFirstSubprotocolThatTheServerSpeaksIsChosen() throws {
        var headers = good
        headers[.secWebSocketProtocol] = "x, b,a"
        let answer = try ServerHandshake.accept(method: .get, headers: headers, subprotocols: ["a", "b"])
        #expect(answer.subprotocol == "b")
        #expect(answer.headers[.secWebSocketProtocol] == "b")
        let other = try ServerHandshake.accept(method: .get, headers: headers, subprotocols: ["c"])
        #expect(other.subprotocol == nil)
        #expect(other.headers[.secWebSocketProtocol] == nil)
    }

    @Test func compressionIsAgreedOnIfBothSidesWantIt() throws {
        var headers = good
        headers[.secWebSocketExtensions] = "permessage-deflate; server_max_window_bits=10"
        let without = try ServerHandshake.accept(method: .get, headers: headers, subprotocols: [])
        #expect(without.compression == nil)
        #expect(without.headers[.secWebSocketExtensions] == nil)
        let with = try ServerHandshake.accept(
            method: .get, headers: headers, subprotocols: [], compression: WebSocketCompression())
        #expect(with.headers[.secWebSocketExtensions] == "permessage-deflate; server_max_window_bits=10")
        #expect(with.compression?.sending.windowBits == 10)
        // A malformed offer isn't a reason to reject: the connection works without compression.
        headers[.secWebSocketExtensions] = "permessage-deflate; ;"
        let malformed = try ServerHandshake.accept(
            method: .get, headers: headers, subprotocols: [], compression: WebSocketCompression())
        #expect(malformed.compression == nil)
    }

    @Test func aRequestThatIsNoHandshakeIsRefusedWithASentence() {
        #expect(throws: ServerHandshake.Refusal.self) {
            try ServerHandshake.accept(method: .post, headers: good, subprotocols: [])
        }
        let changes: [(HTTPField.Name, String?)] = [
            (.upgrade, nil), (.upgrade, "h2c"), (.connection, nil), (.connection, "close"), (.secWebSocketVersion, nil),
            (.secWebSocketVersion, "8"), (.secWebSocketVersion, "13, 13"), (.secWebSocketKey, nil),
            (.secWebSocketKey, "dGhlIHNhbXBsZSBub25jZQ="), (.secWebSocketKey, "dGhlIHNhbXBsZSBub25j!Q=="),
            (.secWebSocketKey, "dGhlIHNhbXBsZSBub25jZQ==, dGhlIHNhbXBsZSBub25jZQ=="),
            (.secWebSocketProtocol, "a b"),
        ]
        for (name, value) in changes {
            var headers = good
            headers[name] = value
            #expect(throws: ServerHandshake.Refusal.self, "\(name): \(value ?? "none")") {
                try ServerHandshake.accept(method: .get, headers: headers, subprotocols: ["a"])
            }
        }
    }

    @Test func aRequestOfHTTP10NamesTheProxysSetting() throws {
        let refusal = #expect(throws: ServerHandshake.Refusal.self) {
            try ServerHandshake.accept(method: .get, isHTTP10: true, headers: good, subprotocols: [])
        }
        #expect(refusal?.status == .badRequest)
        #expect(refusal?.message.contains("proxy_http_version 1.1") == true)
    }

    @Test(arguments: ["8", "0", "12", "14", "13, 13", "x"])
    func anotherVersionIs426WithTheRightOne(_ version: String) throws {
        var headers = good
        headers[.secWebSocketVersion] = version
        let refusal = #expect(throws: ServerHandshake.Refusal.self) {
            try ServerHandshake.accept(method: .get, headers: headers, subprotocols: [])
        }
        #expect(refusal?.status == .upgradeRequired)
        #expect(refusal?.headers == [.secWebSocketVersion: "13", .upgrade: "websocket"])
    }

    @Test func aMissingVersionIs400() {
        var headers = good
        headers[.secWebSocketVersion] = nil
        let refusal = #expect(throws: ServerHandshake.Refusal.self) {
            try ServerHandshake.accept(method: .get, headers: headers, subprotocols: [])
        }
        #expect(refusal?.status == .badRequest)
        #expect(refusal?.headers[.secWebSocketVersion] == "13")
    }

    @Test func theClientTakesWhatTheServerAnswers() throws {
        for _ in 0..<100 {
            let key = AcceptKey.makeKey()
            var client = ClientHandshake(subprotocols: ["a"], host: "h", path: "/", key: key)
            var headers = good
            headers[.secWebSocketKey] = key
            headers[.secWebSocketProtocol] = "a"
            let answer = try ServerHandshake.accept(method: .get, headers: headers, subprotocols: ["a"])
            var text = "HTTP/1.1 101 Switching Protocols\r\n"
            for field in answer.headers { text += "\(field.name.rawName): \(field.value)\r\n" }
            text += "\r\n"
            let outcome = try Array(text.utf8).withUnsafeBytes { try client.receive($0) }
            guard case .accepted(_, "a", nil, text.utf8.count) = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
    }

    @Test func keysAreSixteenBytesAndDiffer() {
        let keys = (0..<100).map { _ in AcceptKey.makeKey() }
        #expect(Set(keys).count == 100)
        #expect(keys.allSatisfy { $0.utf8.count == 24 && $0.hasSuffix("==") })
        let fixed = AcceptKey.makeKey(NetRandom { 0xFB })
        #expect(fixed == "+/v7+/v7+/v7+/v7+/v7+w==")
    }
}
