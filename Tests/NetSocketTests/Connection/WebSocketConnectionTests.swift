import HTTPTypes
import NetCore
import NetSocket
import Synchronization
import Testing

/// A connection's handling of its link.
@Suite(.timeLimit(.minutes(1)))
struct WebSocketConnectionTests {
    /// A link with a script of received messages, which records its calls.
    private final class Link: WebSocketLink {
        let response = ResponseHead(status: .switchingProtocols)
        let subprotocol: String? = "chat"
        let arrivals: Mutex<[Result<[WebSocketMessage], NetError>]>
        let asked = Mutex<[String]>([])

        init(_ arrivals: [Result<[WebSocketMessage], NetError>] = []) { self.arrivals = Mutex(arrivals) }

        func note(_ text: String) { asked.withLock { $0.append(text) } }

        func send(_ message: WebSocketMessage) async throws(NetError) { note("send \(message.text ?? "bytes")") }
        func send(_ message: WebSocketMessage, compression: MessageCompression) async throws(NetError) {
            note("send \(message.text ?? "bytes") \(compression)")
        }
        func send(contentsOf messages: [WebSocketMessage]) async throws(NetError) { note("send \(messages.count)") }
        func receive() async throws(NetError) -> [WebSocketMessage] {
            note("receive")
            let next = arrivals.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            return try next?.get() ?? []
        }
        func ping() async throws(NetError) -> Duration { .seconds(7) }
        func close(_ closure: WebSocketClosure) async { note("close \(closure.code.rawValue) \(closure.reason)") }
        func drop() { note("drop") }
    }

    private static func closed(_ code: WebSocketCloseCode?) -> NetError {
        NetError(
            code == nil ? .connectionLost : .webSocketClosed, phase: .receiving, message: "over",
            closure: code.map { WebSocketClosure(code: $0) })
    }

    @Test func messagesThatCameTogetherAreReceivedOneByOne() async throws {
        let link = Link([.success([.text("1"), .text("2"), .text("3")]), .success([]), .success([.text("4")])])
        let socket = WebSocketConnection(link)
        for text in ["1", "2", "3", "4"] { #expect(try await socket.receive() == .text(text)) }
        #expect(link.asked.withLock { $0.count } == 3)
    }

    @Test func remainingMessagesOfABatchAreReceivedTogether() async throws {
        let link = Link([
            .success([.text("1"), .text("2"), .text("3")]), .success([.text("4"), .text("5")]), .success([.text("6")]),
        ])
        let socket = WebSocketConnection(link)
        #expect(try await socket.receive() == .text("1"))
        #expect(try await socket.receiveAll() == [.text("2"), .text("3")])
        #expect(try await socket.receiveAll() == [.text("4"), .text("5")])
        #expect(try await socket.receive() == .text("6"))
    }

    @Test(
        arguments: [
            (WebSocketCloseCode.normalClosure, nil), (.goingAway, .webSocketClosed), (nil, .connectionLost),
        ] as [(WebSocketCloseCode?, NetError.Code?)])
    func theSequenceEndsQuietlyOnlyAfterAnOrdinaryClose(code: WebSocketCloseCode?, thrown: NetError.Code?) async {
        let socket = WebSocketConnection(Link([.success([.text("1")]), .failure(Self.closed(code))]))
        var (texts, found): ([String?], NetError.Code?) = ([], nil)
        do throws(NetError) {
            for try await message in socket.messages { texts.append(message.text) }
        } catch {
            found = error.code
        }
        #expect(texts == ["1"])
        #expect(found == thrown)
    }

    @Test func valuesAreDecodedUpToTheFirstThatIsNone() async throws {
        let link = Link([.success([.text("1"), .binary(Bytes("2".utf8)), .text("x"), .text("3")])])
        var numbers = WebSocketConnection(link).messages(of: Int.self).makeAsyncIterator()
        #expect(try await numbers.next() == 1)
        #expect(try await numbers.next() == 2)
        let error = await #expect(throws: NetError.self) { try await numbers.next() }
        #expect(error?.code == .decoding)
        #expect(error?.message == "a message of 1 bytes can't be decoded as Int")
        #expect(try await numbers.next() == nil)
    }

    /// `null` is a value as well: it must not look like the end.
    @Test func aMessageOfNullIsNoEnd() async throws {
        let link = Link([.success([.text("null"), .text("3")])])
        let socket = WebSocketConnection(link)
        var numbers = socket.messages(of: Int.self).makeAsyncIterator()
        let error = await #expect(throws: NetError.self) { try await numbers.next() }
        #expect(error?.code == .decoding)
        #expect(try await socket.receive() == .text("3"))
    }

    @Test func aMessageIsMadeOfAValueAndAValueOfAMessage() throws {
        let message = try WebSocketMessage(json: ["a": 1])
        #expect(message.text == #"{"a":1}"#)
        #expect(try message.decoded(as: [String: Int].self) == ["a": 1])
        let error = #expect(throws: NetError.self) { try WebSocketMessage(json: [Double.nan]) }
        #expect(error?.code == .encoding)
        #expect(error?.message == "a message of type Array<Double> could not be encoded")
    }

    @Test(arguments: [CloseFrameCode.goingAway, .normalClosure, .badGateway])
    func closingSendsItsCode(code: CloseFrameCode) async {
        let link = Link()
        await WebSocketConnection(link).close(code, reason: "why")
        #expect(link.asked.withLock { $0 } == ["close \(code) why"])
    }

    @Test func aCodeOfTheApplicationIsChecked() async throws {
        let link = Link()
        await WebSocketConnection(link).close(try CloseFrameCode(4000), reason: "why")
        #expect(link.asked.withLock { $0 } == ["close 4000 why"])
    }

    @Test func everythingElseIsTheLinks() async throws {
        let link = Link()
        let socket = WebSocketConnection(link)
        try await socket.send("a")
        try await socket.send(Bytes([1]))
        try await socket.send(.text("b"))
        try await socket.send(.text("c"), compression: .never)
        try await socket.send(contentsOf: [.text("d"), .text("e")])
        try await socket.send(json: 7)
        #expect(try await socket.ping() == .seconds(7))
        await socket.close()
        socket.drop()
        #expect(
            link.asked.withLock { $0 } == [
                "send a", "send bytes", "send b", "send c never", "send 2", "send 7", "close 1000 ", "drop",
            ])
        #expect(socket.subprotocol == "chat")
        #expect(socket.compression == nil)
        #expect(socket.silence == nil)
    }

    // MARK: Parts

    private struct Parts: AsyncSequence, AsyncIteratorProtocol {
        var parts: [String]
        var error: (any Error)?
        func makeAsyncIterator() -> Self { self }
        mutating func next() async throws -> Bytes? {
            if !parts.isEmpty { return Bytes(parts.removeFirst().utf8) }
            if let error { throw error }
            return nil
        }
    }

    @Test func partsBecomeOneMessageWhereALinkHasNoFrames() async throws {
        let link = Link()
        let socket = WebSocketConnection(link)
        try await socket.send(parts: Parts(parts: ["a", "b"]), as: .text)
        try await socket.send(parts: Parts(parts: []), as: .binary, compression: .never)
        #expect(link.asked.withLock { $0 } == ["send ab automatic", "send bytes never"])
    }

    @Test(arguments: [
        (SocketFailing.plain, NetError.Code.encoding), (.cancelled, .cancelled), (.own, .limited),
    ])
    func errorsThrownByMessagePartsFailTheSend(failing: SocketFailing, code: NetError.Code) async {
        let link = Link()
        let error = await #expect(throws: NetError.self) {
            try await WebSocketConnection(link).send(parts: Parts(parts: ["a"], error: failing.error), as: .text)
        }
        #expect(error?.code == code)
        #expect(link.asked.withLock { $0 } == [])
        if failing != .own {
            #expect(error?.phase == .sending)
            #expect(error?.underlying != nil)
        }
    }

    enum SocketFailing: Sendable {
        case plain, cancelled, own

        var error: any Error {
            switch self {
            case .plain: POSIXFailure()
            case .cancelled: CancellationError()
            case .own: NetError(.limited, phase: .sending, message: "own")
            }
        }
    }

    private struct POSIXFailure: Error {}
}
