#if Server
import HTTPTypes
import NetCore
@testable import NetSocketServer
import NetSocketCore
import Testing

/// Random contents of a handshake: nothing traps, and the guarantees hold for all of them.
@Suite struct GarbageTests {
    /// Texts made of pieces with a meaning for the parser, and of arbitrary bytes.
    private struct Texts {
        var numbers: SeededNumbers
        let pieces: [String]

        mutating func next() -> String {
            var text = ""
            for _ in 0..<numbers.next(12) {
                switch numbers.next(8) {
                case 0: text.unicodeScalars.append(Unicode.Scalar(UInt8(numbers.next(128))))
                case 1: text.unicodeScalars.append(Unicode.Scalar(UInt32(numbers.next(0xD800))) ?? "?")
                case 2: text += String(text.suffix(numbers.next(6)))
                case 3: text = String(text.dropLast(numbers.next(3)))
                default: text += pieces[numbers.next(pieces.count)]
                }
            }
            return text
        }
    }

    private static func each(_ seed: UInt64, _ pieces: [String], _ body: (String, String) -> Void) {
        var texts = Texts(numbers: SeededNumbers(seed), pieces: pieces)
        for _ in 0..<800 { body(texts.next(), texts.next()) }
    }

    @Test(arguments: 1...8)
    func `Any target and any headers make a handshake`(seed: UInt64) {
        Self.each(
            seed, ["/", "?", "&", "=", "%", "%2", "%41", "%ff", "+", "user", "a=b", "a=b;", "; ", "Bearer ", "bearer"]
        ) {
            target, field in
            var headers: HTTPFields = [:]
            headers[.cookie] = field
            headers[.authorization] = field
            headers[.secWebSocketProtocol] = field
            let handshake = SocketHandshake(target: target, headers: headers, address: nil, host: field)
            #expect(!handshake.path.contains("?"))
            #expect(handshake.query.count <= target.utf8.count { $0 == UInt8(ascii: "&") } + 1)
            #expect(handshake.cookies.count <= field.utf8.count { $0 == UInt8(ascii: ";") } + 1)
            if let bearer = handshake.bearer?.utf8, let field = headers[.authorization]?.utf8 {
                #expect(field.suffix(bearer.count).elementsEqual(bearer))
                #expect(bearer.first != UInt8(ascii: " "))
            }
            #expect(!"\(handshake)".contains("?"))
        }
    }

    @Test(arguments: 1...8)
    func `Nobody takes another address than a trusted proxy says`(seed: UInt64) throws {
        let peer = try #require(PeerAddress("192.0.2.1"))
        let proxy = try #require(PeerAddress("127.0.0.1"))
        let (forwarded, list): (HTTPField.Name, HTTPField.Name) = ("Forwarded", "X-Forwarded-For")
        let pieces = [
            "for=", "by=", "proto=https", ";", ",", ", ", "\"", "\\", "[", "]", "[2001:db8::1]", "192.0.2.7", ":80",
            "unknown",
            "_hidden", "for=\"[::1]:80\"", "for=203.0.113.9", "127.0.0.1", "::ffff:1.2.3.4", "%25eth0", " ",
        ]
        Self.each(seed, pieces) { first, second in
            var headers: HTTPFields = [:]
            headers[forwarded] = first
            headers[list] = second
            for proxies in [TrustedProxies.none, .loopback] {
                #expect(
                    ForwardedAddress.client(peer: peer, headers: headers, proxies: proxies) == ForwardedAddress(peer))
            }
            let client = ForwardedAddress.client(peer: proxy, headers: headers, proxies: .loopback)
            // The result is either contained in the input, or the peer's address.
            if let name = client.name { #expect((first + second).contains(name)) }
            _ = client.limitKey
        }
    }

    @Test(arguments: 1...8)
    func `No origin but the own one is taken for it`(seed: UInt64) {
        let pieces = [
            "http", "https", "://", ":", "/", "example.com", "EXAMPLE.com", ".", "evil", "@", "#", "?", ":80", ":443",
            "[::1]", "null",
            "%2e", "\\", " ",
        ]
        Self.each(seed, pieces) { origin, host in
            _ = OriginPolicy.sameOrigin.allows(origin: origin, host: host)
            if OriginPolicy.sameOrigin.allows(origin: origin, host: "example.com") {
                #expect(
                    ["http://example.com", "https://example.com"].contains { origin.lowercased().hasPrefix($0) },
                    "\(origin)")
            }
            #expect(!OriginPolicy.sameOrigin.allows(origin: origin, host: nil))
        }
    }

    @Test(arguments: 1...8)
    func `An address that is read is written and read again`(seed: UInt64) {
        let pieces = [
            "0", "1", "255", "256", "f", "ffff", ":", "::", ".", "1.2.3.4", "/", "/8", "/128", "[", "]", "%", "-1",
        ]
        Self.each(seed, pieces) { first, second in
            for text in [first, second, first + second] {
                if let address = PeerAddress(text) { #expect(PeerAddress(address.description) == address, "\(text)") }
                guard let range = AddressRange(text), let address = PeerAddress(String(text.prefix { $0 != "/" }))
                else {
                    continue
                }
                #expect(range.contains(address), "\(text)")
            }
        }
    }

    @Test(arguments: 1...4)
    func `Random messages in any wire protocol keep a connection's machine running or end it`(seed: UInt64) {
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"event\":\"say\"", "\"requestId\":\"1\"", "\"channel\":\"room\"",
            "\"payload\":{}",
            "{\"event\":\"channel.join\",\"requestId\":\"1\",\"channel\":\"a\"}", "\"seq\":1",
            "{\"event\":\"session.resume\"",
            "\"sessionId\":\"s\"", "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":1}",
            "[{\"jsonrpc\":\"2.0\",\"method\":\"m\"}]",
            "{\"id\":1,\"subscribe\":{\"channel\":\"a\"}}", "\n", "{\"type\":\"connection_init\"}",
            "{\"type\":\"subscribe\",\"id\":\"1\",\"payload\":{}}", "[\"1\",\"1\",\"a\",\"phx_join\",{}]",
            "42[\"say\",1]", "40", "2",
        ]
        let wires: [SocketWire] = [
            .json, .numberedJSON, .jsonRPC, .centrifuge, .graphQLTransport, .phoenixV2, .socketIO, .raw,
        ]
        var signals = 0
        for wire in wires {
            var codec = wire.makeMachine(.server)
            codec.agree(on: wire.subprotocols.first)
            var run = MachineRun {
                $0.hasOpening = wire.features.contains(.opening)
                $0.maximumCommands = 4
            }
            var isOver = false
            Self.each(seed, pieces) { first, second in
                for message in [WebSocketMessage.text(first), .binary(Bytes(second.utf8))] {
                    guard !isOver, let reading = try? codec.decode(message) else { continue }
                    for signal in reading.signals {
                        signals += 1
                        let effects = run.receive(signal)
                        isOver = isOver || effects.closed != nil
                        for signal in effects.sent { _ = try? codec.encode(signal) }
                    }
                    #expect(run.machine.waiting.count <= 64)
                    #expect(run.machine.topics.count <= 100)
                }
            }
        }
        #expect(signals > 100)
    }
}
#endif
