import HTTPTypes
import NetCore
import NetSocketCore
import Testing

/// RFC 6455 section 4.1: a client's request, and the responses it accepts.
struct ClientHandshakeTests {
    /// The key and the accept value of RFC 6455 section 1.3.
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    private static let good = [
        "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
    ]

    @Test func theRequestHasEveryFieldTheSpecificationAsksFor() {
        let handshake = ClientHandshake(
            headers: [.origin: "https://example.com", .authorization: "Bearer t"], subprotocols: ["chat.v2", "chat"],
            host: "example.com:81", path: "/chat?a=b", key: Self.key)
        #expect(
            text(handshake) == """
                GET /chat?a=b HTTP/1.1\r
                Host: example.com:81\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Sec-WebSocket-Key: \(Self.key)\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Protocol: chat.v2, chat\r
                Origin: https://example.com\r
                Authorization: Bearer t\r
                \r\n
                """)
    }

    @Test func fieldsOfTheHandshakeAreNotTakenFromTheRequest() throws {
        var headers: HTTPFields = [.userAgent: "kept"]
        for name in [
            "Host", "upgrade", "CONNECTION", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Protocol",
            "Sec-WebSocket-Extensions", "Sec-WebSocket-Accept", "Content-Length", "Transfer-Encoding",
        ] {
            headers[try #require(HTTPField.Name(name))] = "evil"
        }
        let text = text(ClientHandshake(headers: headers, host: "h", path: "", key: Self.key))
        #expect(!text.contains("evil"))
        #expect(text.contains("User-Agent: kept\r\n"))
        #expect(text.hasPrefix("GET / HTTP/1.1\r\n"))
    }

    @Test func nothingCanAddALineToTheRequest() {
        let text = text(
            ClientHandshake(
                headers: [.userAgent: "a\r\nX: y"], subprotocols: ["a\r\nX: y", "b, c", "", "ok"], host: "h\r\nX: y",
                path: "/ HTTP/1.1\r\nX: y", key: Self.key))
        #expect(!text.contains("\nX"))
        #expect(text.contains("Sec-WebSocket-Protocol: ok\r\n"))
        #expect(text.utf8.filter { $0 == 10 }.count == 9)
    }

    @Test func aGoodAnswerIsAcceptedAndWhatFollowsIsLeft() throws {
        let head = answer(Self.good)
        let verdict = try Verdict([(head + [0x81, 0x01, 0x61])[...]])
        #expect(verdict == .accepted(status: 101, subprotocol: nil, consumed: head.count))
    }

    @Test func namesAndTokensAreComparedInAnyCaseAndListsAreSearched() throws {
        let lines = [
            "HTTP/1.1 101", "UPGRADE: foo, WebSocket", "connection:keep-alive ,  uPGRADE",
            "sec-websocket-accept:   s3pPLMBiTxaQ9kYGzzhZRbK+xOo=  ",
        ]
        let head = answer(lines)
        #expect(try Verdict([head[...]]) == .accepted(status: 101, subprotocol: nil, consumed: head.count))
    }

    @Test func theServerChoosesAmongTheOfferedSubprotocols() throws {
        let head = answer(Self.good + ["Sec-WebSocket-Protocol: b"])
        let verdict = try Verdict([head[...]], subprotocols: ["a", "b"])
        #expect(verdict == .accepted(status: 101, subprotocol: "b", consumed: head.count))
        let none = answer(Self.good)
        #expect(
            try Verdict([none[...]], subprotocols: ["a"])
                == .accepted(status: 101, subprotocol: nil, consumed: none.count))
    }

    @Test func anAnswerThatIsNoHandshakeIsRefused() {
        let bad: [[String]] = [
            ["HTTP/1.0 101 Switching Protocols"] + Self.good.dropFirst(),
            Self.without(1), Self.without(2), Self.without(3),
            Self.without(1) + ["Upgrade: websockets"], Self.without(2) + ["Connection: close"],
            Self.without(3) + ["Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOO="],
            Self.without(3) + ["Sec-WebSocket-Accept: S3PPLMBITXAQ9KYGZZHZRBK+XOO="],
            Self.good + ["Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="],
            Self.good + ["Sec-WebSocket-Extensions: permessage-deflate"],
            Self.good + ["Sec-WebSocket-Protocol: c"], Self.good + ["Sec-WebSocket-Protocol: A"],
            Self.good + ["Sec-WebSocket-Protocol: a, b"],
            Self.good + ["Sec-WebSocket-Protocol: a", "Sec-WebSocket-Protocol: b"],
        ]
        for lines in bad {
            #expect(throws: WebSocketViolation.self, "\(lines)") {
                try Verdict([answer(lines)[...]], subprotocols: ["a", "b"])
            }
        }
        #expect(throws: WebSocketViolation.self) {
            try Verdict([answer(Self.good + ["Sec-WebSocket-Protocol: a"])[...]])
        }
    }

    @Test(arguments: [
        ("chat.v3", "\"chat.v3\", which was not offered"), ("", "\"\", which"), ("a\u{1b}[2J", "\"a [2J\""),
        (String(repeating: "x", count: 100), "\"\(String(repeating: "x", count: 60))…\""),
    ])
    func aSubprotocolThatWasNotOfferedIsNamed(_ name: String, _ words: String) throws {
        let error = #expect(throws: WebSocketViolation.self) {
            try Verdict([answer(Self.good + ["Sec-WebSocket-Protocol: \(name)"])[...]], subprotocols: ["chat.v1"])
        }
        #expect(error?.message.contains(words) == true, "\(error as Any)")
    }

    @Test(arguments: [
        "HTTP/2 101\r\n", "HTTP/1.2 101 x\r\n", "HTTP/1.1 1011 x\r\n", "HTTP/1.1 099 x\r\n", "HTTP/1.1\r\n", "\r\n",
        "SSH-2.0", "\u{15}\u{3}", "<html>", "HTTP/1.1  101 x\r\n", "http/1.1 101 x\r\n", "HTTP/1.1 1O1 x\r\n",
    ])
    func bytesThatAreNotHTTPAreRefusedAtTheFirstLine(_ text: String) {
        #expect(throws: WebSocketViolation.self) { try Verdict([Array(text.utf8)[...]]) }
    }

    @Test func theBodyOfAnotherStatusIsWaitedFor() throws {
        let head = answer(["HTTP/1.1 403 Forbidden", "Content-Length: 5"])
        let bytes = head + Array("not you".utf8)
        for split in 1..<bytes.count {
            let verdict = try Verdict([bytes[..<split], bytes[split...]])
            #expect(verdict == .refused(status: 403, body: Array("not y".utf8)), "\(split)")
        }
        #expect(try Verdict([(head + Array("not".utf8))[...]]) == .refused(status: 403, body: Array("not".utf8)))
        for headers in [["HTTP/1.1 204 No"], ["HTTP/1.1 401 No", "Content-Length: 0"]] {
            #expect(
                try Verdict([answer(headers)[...]])
                    == .refused(status: headers[0].contains("204") ? 204 : 401, body: []))
        }
    }

    @Test func anotherStatusIsHandedOverWithWhatHasArrivedOfTheBody() throws {
        let head = answer(["HTTP/1.0 403 Forbidden", "Content-Type: text/plain"])
        #expect(try Verdict([(head + Array("no".utf8))[...]]) == .refused(status: 403, body: Array("no".utf8)))
        #expect(try Verdict([head[...]]) == .refused(status: 403, body: []))
        let large = try Verdict([(head + pattern(100_000))[...]])
        #expect(large == .refused(status: 403, body: Array(pattern(100_000).prefix(64 << 10))))
        #expect(try Verdict([answer(["HTTP/1.1 200 OK"])[...]]) == .refused(status: 200, body: []))
    }

    @Test func interimAnswersAreSkipped() throws {
        let interim = answer(["HTTP/1.1 100 Continue"]) + answer(["HTTP/1.1 103 Early Hints", "Link: </a>"])
        let bytes = interim + answer(Self.good)
        #expect(
            try Verdict([(bytes + [1, 2])[...]]) == .accepted(status: 101, subprotocol: nil, consumed: bytes.count))
    }

    @Test func aHeadIsAtMost64KiB() throws {
        let base = answer(Self.good + ["X: "]).count
        let fits = answer(Self.good + ["X: " + String(repeating: "x", count: (64 << 10) - base)])
        #expect(fits.count == 64 << 10)
        #expect(try Verdict([fits[...]]) == .accepted(status: 101, subprotocol: nil, consumed: fits.count))
        let larger = answer(Self.good + ["X: " + String(repeating: "x", count: (64 << 10) - base + 1)])
        #expect(throws: WebSocketViolation.self) { try Verdict([larger[...]]) }
        let endless = (0..<5000).flatMap { _ in answer(["HTTP/1.1 100 Continue"]) }
        #expect(throws: WebSocketViolation.self) { try Verdict([endless[...]]) }
    }

    @Test func answersGiveTheSameHoweverTheyAreCut() throws {
        let answers = [
            answer(Self.good) + [0x81, 0], answer(["HTTP/1.1 100 Continue"]) + answer(Self.good + ["Set-Cookie: a=b"]),
            Array(Self.good.joined(separator: "\n").utf8) + Array("\n\n".utf8), answer(["HTTP/1.1 404 Not Found"]),
            answer(Self.without(1)), Array("HTTX/1.1 101 a\r\n\r\n".utf8), Array(answer(Self.good).dropLast(1)),
        ]
        for bytes in answers {
            let whole = Result { try Verdict([bytes[...]]) }
            let single = Result { try Verdict(bytes.indices.map { bytes[$0...$0] }) }
            #expect(single.description == whole.description)
            for cut in 0...bytes.count {
                let parts = Result { try Verdict([bytes[..<cut], bytes[cut...]]) }
                #expect(parts.description == whole.description, "cut at \(cut)")
            }
        }
    }

    private static func without(_ index: Int) -> [String] { Array(good[..<index] + good[(index + 1)...]) }

    private func answer(_ lines: [String]) -> [UInt8] {
        Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private func text(_ handshake: ClientHandshake) -> String {
        String(decoding: handshake.requestBytes, as: UTF8.self)
    }

    /// The result for some chunks; `consumed` counts from the first of them.
    private enum Verdict: Equatable {
        case needsMore
        case accepted(status: Int, subprotocol: String?, consumed: Int)
        case refused(status: Int, body: [UInt8])

        init(_ chunks: [ArraySlice<UInt8>], subprotocols: [String] = []) throws {
            var handshake = ClientHandshake(
                subprotocols: subprotocols, host: "h", path: "/", key: ClientHandshakeTests.key)
            var before = 0
            for chunk in chunks {
                switch try chunk.withUnsafeBytes({ try handshake.receive($0) }) {
                case .needsMore: before += chunk.count
                case .accepted(let head, let subprotocol, _, let consumed):
                    self = .accepted(status: head.status.code, subprotocol: subprotocol, consumed: before + consumed)
                    return
                case .refused(let head, let body):
                    self = .refused(status: head.status.code, body: Array(body))
                    return
                }
            }
            guard case .refused(let head, let body)? = handshake.end() else {
                self = .needsMore
                return
            }
            self = .refused(status: head.status.code, body: Array(body))
        }
    }
}

extension Result {
    fileprivate var description: String { "\(self)" }
}
