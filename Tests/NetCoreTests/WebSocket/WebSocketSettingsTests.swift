import HTTPTypes
import NetTesting
import TestSupport
import Testing

@testable import NetCore

@Suite struct WebSocketSettingsTests {
    @Test(
        arguments: [
            (-1, 9, 1), (0, 9, 1), (1, 9, 1), (2, 9, 2), (8, 9, 8), (9, 9, 9), (10, 10, 9), (14, 14, 9), (15, 15, 9),
            (16, 15, 9),
        ] as [(Int, Int, Int)])
    func compressionIsClampedToWhatZlibTakes(_ given: Int, _ windowBits: Int, _ level: Int) {
        var compression = WebSocketCompression(
            sending: .init(windowBits: given), receiving: .init(windowBits: given), level: given, memoryLevel: given)
        #expect(compression.sending.windowBits == windowBits)
        #expect(compression.receiving.windowBits == windowBits)
        #expect(compression.level == level)
        #expect(compression.memoryLevel == level)
        compression = WebSocketCompression()
        compression.sending.windowBits = given
        compression.level = given
        compression.memoryLevel = given
        #expect(compression.sending.windowBits == windowBits)
        #expect(compression.level == level)
        #expect(compression.memoryLevel == level)
    }

    @Test func compressionHasDefaults() {
        let standard = WebSocketCompression()
        #expect(standard.level == 3)
        #expect(standard.memoryLevel == 8)
        #expect(standard.minimumBytes == 128)
        #expect(standard.sending == .init(windowBits: 15, takesOverContext: true))
        #expect(standard.receiving.takesOverContext)
        let without = WebSocketCompression.withoutContext
        #expect(!without.sending.takesOverContext)
        #expect(!without.receiving.takesOverContext)
        #expect(without.sending.windowBits == 15)
        #expect(without.minimumBytes == 128)
    }

    @Test func livenessNeverWaitsForNothing() {
        var liveness = WebSocketLiveness()
        #expect(liveness.silence == .seconds(30))
        #expect(liveness.grace == .seconds(15))
        guard case .ping = liveness.probe else {
            Issue.record("a ping is the default")
            return
        }
        liveness = WebSocketLiveness(silence: .zero, grace: .seconds(-1))
        #expect(liveness.silence == .milliseconds(1))
        #expect(liveness.grace == .milliseconds(1))
        (liveness.silence, liveness.grace) = (.seconds(2), .seconds(3))
        #expect(liveness.silence == .seconds(2))
        #expect(liveness.grace == .seconds(3))
        (liveness.silence, liveness.grace) = (.zero, .microseconds(999))
        #expect(liveness.silence == .milliseconds(1))
        #expect(liveness.grace == .milliseconds(1))
    }

    @Test func closeCodesOfTheRegistryMayBeSent() {
        let valid: [ClosedRange<UInt16>] = [1000...1003, 1007...1014, 3000...4999]
        for code in [
            0, 999, 1000, 1003, 1004, 1005, 1006, 1007, 1014, 1015, 1016, 2999, 3000, 4999, 5000, .max,
        ] as [UInt16] {
            #expect(
                WebSocketCloseCode(rawValue: code).isValidOnWire == valid.contains { $0.contains(code) }, "\(code)")
        }
        let named: [WebSocketCloseCode] = [
            .normalClosure, .goingAway, .protocolError, .unsupportedData, .noStatusReceived, .abnormalClosure,
            .invalidPayload, .policyViolation, .messageTooBig, .mandatoryExtension, .internalError, .serviceRestart,
            .tryAgainLater, .badGateway, .tlsHandshake,
        ]
        #expect(
            named.map(\.rawValue) == [
                1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015,
            ])
        #expect(WebSocketClosure(code: .goingAway).sentCode == nil)
        let closure = WebSocketClosure(code: .goingAway)
        #expect(closure.isByPeer)
        #expect(closure.reason.isEmpty)
        #expect(closure.description == "1001")
        #expect(WebSocketClosure(code: .goingAway, reason: "r").description == "1001 \"r\"")
    }

    @Test func messagesKnowTheirKindAndSize() {
        let (text, binary) = (WebSocketMessage.text("aé"), WebSocketMessage.binary([1, 2]))
        #expect(text.kind == .text)
        #expect(text.count == 3)
        #expect(text.text == "aé")
        #expect(text.binary == nil)
        #expect(binary.kind == .binary)
        #expect(binary.count == 2)
        #expect(binary.text == nil)
        #expect(binary.binary == [1, 2])
    }

    @Test func aWaitIsReadFromTheReasonOfAClosure() {
        #expect(RetryAfterReason.text(.milliseconds(1500)) == "Retry-After: 1.500")
        #expect(RetryAfterReason.wait(in: "Retry-After: 1.500") == .milliseconds(1500))
        #expect(RetryAfterReason.wait(in: "Retry-After: 0") == .zero)
        for text in ["Retry-After: -1", "Retry-After: inf", "Retry-After: x", "retry-after: 1", "1.5", "Retry-After: "]
        {
            #expect(RetryAfterReason.wait(in: text) == nil, "\(text)")
        }
    }

    @Test func aHandshakeTakesOverWhatTheRequestSays() {
        var request = WebSocketRequest(
            "chat", query: ["a": 1], headers: [.origin: "o"], subprotocols: ["x"], maximumMessageBytes: 9)
        request.secretSubprotocol = "s"
        request.compression = .withoutContext
        request.options.priority = .high
        let handshake = HandshakeRequest(request)
        #expect(handshake.path.encoded == "chat")
        #expect(handshake.query.encodedQuery == "a=1")
        #expect(handshake.headers == [.origin: "o"])
        #expect(handshake.method == .get)
        #expect(handshake.serializer.accept == nil)
        let options = handshake.options.webSocket
        #expect(options?.subprotocols == ["x"])
        #expect(options?.secretSubprotocol == "s")
        #expect(options?.maximumMessageBytes == 9)
        #expect(options?.compression == .withoutContext)
        #expect(options?.liveness != nil)
        #expect(handshake.options.priority == .high)
        #expect(WebSocketRequest("x").maximumMessageBytes == 1 << 20)
        #expect(WebSocketRequest("x").liveness != nil)
        #expect(WebSocketOptions().maximumMessageBytes == 1 << 20)
        #expect(WebSocketOptions().liveness != nil)
        #expect(WebSocketOptions().compression == nil)
        #expect(WebSocketOptions().offeredSubprotocols.isEmpty)
    }

    @Test func theTimeOutOfAConnectionIsGivenWithTheURL() {
        let inherited = WebSocketRequest(url: "wss://h/x")
        #expect(inherited.options.absoluteURL == "wss://h/x")
        #expect(inherited.options.timeouts == nil)
        #expect(inherited.maximumMessageBytes == 1 << 20)
        #expect(inherited.path.encoded.isEmpty)
        let own = WebSocketRequest(url: "wss://h/x", connectTimeout: .seconds(3))
        #expect(own.options.timeouts?.connect == .seconds(3))
        let none = WebSocketRequest(url: "wss://h/x", connectTimeout: nil)
        #expect(none.options.timeouts != nil)
        #expect(none.options.timeouts?.connect == nil)
    }

    @Test func subprotocolsAreTokensThatAreOfferedOnce() {
        #expect(WebSocketOptions().problem == nil)
        #expect(WebSocketOptions(subprotocols: ["a", "b"]).problem == nil)
        #expect(WebSocketOptions(subprotocols: ["a"], secretSubprotocol: "b").offeredSubprotocols == ["a", "b"])
        #expect(WebSocketOptions(subprotocols: ["a", "b c"]).problem?.contains("\"b c\"") == true)
        #expect(
            WebSocketOptions(subprotocols: ["a", "a"]).problem?.hasPrefix("a subprotocol is offered twice") == true)
        #expect(
            WebSocketOptions(subprotocols: ["a"], secretSubprotocol: "a").problem?.hasPrefix("a subprotocol") == true)
        let secret = WebSocketOptions(secretSubprotocol: "geheim=").problem
        #expect(secret?.contains("base64url") == true)
        #expect(secret?.contains("geheim") == false)
        #expect(WebSocketOptions.problem(ofURL: "wss://h/x") == nil)
        #expect(WebSocketOptions.problem(ofURL: "wss://h/x#a")?.contains("fragment") == true)
    }
}

private final class Link: WebSocketLink {
    let response = ResponseHead(status: .switchingProtocols)
    let subprotocol: String? = nil
    let sent = Locked<[WebSocketMessage]>([])

    func send(_ message: WebSocketMessage) async throws(NetError) { sent.change { $0.append(message) } }
    func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) {}
    func receive() async throws(NetError) -> [WebSocketMessage] { [] }
    func ping() async throws(NetError) -> Duration { .zero }
    func close(_ closure: WebSocketClosure) async {}
}

@Suite struct WebSocketLinkTests {
    private func send(_ parts: [Bytes], as kind: WebSocketMessage.Kind, over link: Link) async throws(NetError) {
        var rest = parts[...]
        try await link.send(partsOf: kind, compression: .automatic) { () async throws(NetError) in rest.popFirst() }
    }

    @Test func aLinkThatSendsNoPartsJoinsThem() async throws {
        let link = Link()
        try await send([[1], [2, 3]], as: .binary, over: link)
        try await send([], as: .binary, over: link)
        try await send([Bytes([0xc3]), Bytes([0xa9])], as: .text, over: link)
        #expect(link.sent.value == [.binary([1, 2, 3]), .binary([]), .text("é")])
        let error = await #expect(throws: NetError.self) { try await send([[0xc3]], as: .text, over: link) }
        #expect(error?.code == .encoding)
        #expect(error?.phase == .sending)
        #expect(link.sent.value.count == 3)
    }

    @Test func aLinkHasNeitherCompressionNorSilenceByDefault() async throws {
        let link = Link()
        #expect(link.compression == nil)
        #expect(link.silence == nil)
        try await link.send(.text("x"), compression: .never)
        #expect(link.sent.value == [.text("x")])
        link.drop()
    }
}
