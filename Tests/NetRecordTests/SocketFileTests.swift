import Foundation
import HTTPTypes
import NetCore
import NetRecord
import Testing

/// WebSockets in the JSON format of a cassette, and in HAR.
struct SocketFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func exchange(_ socket: RecordedSocket) -> CapturedExchange {
        CapturedExchange(
            recordedAt: Date(timeIntervalSince1970: 1_767_225_600), duration: .milliseconds(12),
            request: .init(method: .get, url: "wss://a.test/chat"),
            outcome: .response(
                .init(status: .switchingProtocols, version: "1.1", headers: [.upgrade: "websocket"], socket: socket)))
    }

    private static let noise = Bytes((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    private static let messages: [RecordedSocket.Message] = [
        .init(.server, .text("")), .init(.client, .binary(Bytes())),
        .init(.client, .text("two\nlines \u{0} \u{1F600}"), after: .milliseconds(1500)),
        .init(.server, .text(#"{"a":[1,2],"b":"c,d"}"#), after: .microseconds(3)),
        .init(.server, .binary(Bytes("ASCII".utf8))), .init(.client, .binary(noise)),
        .init(.server, .text(String(repeating: "x", count: 10_000))),
    ]
    private static let sockets = [
        RecordedSocket(messages, ending: .closed(.goingAway, reason: "so long", by: .server), endDelay: .seconds(2)),
        RecordedSocket(ending: .closed(.noStatusReceived, reason: "", by: .client)),
        RecordedSocket(ending: .failed(.init(code: "connectionLost", message: "gone")), endDelay: .milliseconds(1)),
        RecordedSocket(messages, isCut: true), RecordedSocket(),
    ]

    @Test(arguments: sockets) func everyWebSocketComesBackAsItWas(socket: RecordedSocket) throws {
        let cassette = Cassette([Self.exchange(socket)])
        try cassette.write(to: folder.file("one.json"))
        let read = try Cassette.read(from: folder.file("one.json"))
        #expect(read.exchanges == cassette.exchanges)
        let text = try folder.text("one.json")
        try read.write(to: folder.file("one.json"))
        #expect(try folder.text("one.json") == text)
    }

    @Test(arguments: sockets) func harKeepsAllButTheNanoseconds(socket: RecordedSocket) throws {
        try Cassette([Self.exchange(socket)]).write(to: folder.file("one.har"))
        let read = try #require(try Cassette.read(from: folder.file("one.har")).exchanges.first?.socket)
        #expect(read.messages.map(\.message) == socket.messages.map(\.message))
        #expect(read.messages.map(\.sender) == socket.messages.map(\.sender))
        for (found, expected) in zip(read.messages, socket.messages) {
            #expect(abs((found.delay - expected.delay) / .microseconds(1)) < 5)
        }
        #expect(read.ending == socket.ending)
        #expect(read.endDelay == socket.endDelay)
        #expect(read.isCut == socket.isCut)
    }

    /// A file exported by Chromium's developer tools.
    @Test func webSocketsInBrowserHARFilesAreRead() throws {
        let path = try folder.write(
            #"""
            {"log":{"version":"1.2","creator":{"name":"WebInspector","version":"537.36"},"pages":[],"entries":[{
            "_initiator":{"type":"script"},"_priority":null,"_resourceType":"websocket","cache":{},
            "_webSocketMessages":[
            {"type":"send","time":1700000000.5,"opcode":1,"data":"hi"},
            {"type":"receive","time":1700000001.75,"opcode":2,"data":"AAEC"}],
            "request":{"method":"GET","url":"wss://a.test/chat","httpVersion":"HTTP/1.1","headers":[],"queryString":[],
            "cookies":[],"headersSize":-1,"bodySize":0},
            "response":{"status":101,"statusText":"Switching Protocols","httpVersion":"HTTP/1.1","headers":[],"cookies":[],
            "content":{"size":0,"mimeType":"x-unknown"},"redirectURL":"","headersSize":-1,"bodySize":-1},
            "serverIPAddress":"","startedDateTime":"2023-11-14T22:13:20.000Z","time":500,
            "timings":{"blocked":0,"dns":-1,"ssl":-1,"connect":-1,"send":0,"wait":250,"receive":0}}]}}
            """#, to: "browser.har")
        let exchange = try #require(try Cassette.read(from: path).exchanges.first)
        #expect(exchange.isHandshake)
        let socket = try #require(exchange.socket)
        #expect(
            socket
                == RecordedSocket([
                    .init(.client, .text("hi"), after: .milliseconds(250)),
                    .init(.server, .binary(Bytes([0, 1, 2])), after: .milliseconds(1250)),
                ]))
    }

    @Test(arguments: [
        (#"{"messages":[{"from":"me","text":[]}]}"#, "messages[0].from: expected \"client\" or \"server\""),
        (#"{"messages":[{"from":"client"}]}"#, "messages[0]: the member \"file\" is missing"),
        (#"{"messages":[{"from":"client","text":[],"base64":[]}]}"#, "can't be combined"),
        (#"{"messages":[{"from":"client","text":"a"}]}"#, "expected a list, found text"),
        (#"{"messages":[],"end":{"from":"client","code":1006}}"#, "end.code: expected a code that may close"),
        (#"{"messages":[],"end":{"from":"client","code":70000}}"#, "end.code: expected a code that may close"),
        (#"{"messages":[],"end":{"code":1000}}"#, "the member \"from\" is missing"),
        (#"{"messages":[],"end":{"failure":{"code":"x","message":""},"from":"client"}}"#, "can't be combined"),
        (#"{"messages":[],"ends":{}}"#, "unknown member \"ends\""),
        (#"{}"#, "\"messages\" is missing"),
    ])
    func aSlipIsAnErrorWithItsPlace(socket: String, message: String) throws {
        let path = try folder.write(
            """
            {"version":1,"exchanges":[{"recordedAt":"2026-01-01T00:00:00Z","milliseconds":1,
            "request":{"method":"GET","url":"ws://a.test/"},"response":{"status":101,"socket":\(socket)}}]}
            """, to: "slip.json")
        let error = try #require(readFailure(path))
        #expect(error.description.contains(message), "\(error)")
        #expect(error.description.contains("exchanges[0].response.socket"))
    }
}
