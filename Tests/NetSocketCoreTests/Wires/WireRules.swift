import NetCore
import NetSocketCore
import NetTesting
import Testing

/// Both ends of one wire protocol on one connection, and the rules for every wire protocol.
struct WirePairOfEnds {
    let wire: SocketWire
    var client: any WireMachine
    var server: any WireMachine

    init(_ wire: SocketWire) {
        self.wire = wire
        client = wire.makeMachine(.client)
        server = wire.makeMachine(.server)
    }

    /// Returns the signals that the other end decodes when one end sends a signal, with the texts on the wire. Replies
    /// are passed back.
    mutating func say(_ signal: WireSignal, from role: WebSocketRole) throws -> (signals: [WireSignal], texts: [String])
    {
        var (signals, texts) = ([WireSignal](), [String]())
        for message in role == .client ? try client.encode(signal) : try server.encode(signal) {
            texts.append(message.text ?? "binary")
            let reading = role == .client ? try server.decode(message) : try client.decode(message)
            signals += reading.signals
            for answer in reading.responses {
                texts.append(answer.text ?? "binary")
                _ = role == .client ? try client.decode(answer) : try server.decode(answer)
            }
        }
        return (signals, texts)
    }

    /// Sends each signal and expects the other end to decode exactly the same.
    mutating func converse(
        _ signals: [(WebSocketRole, WireSignal)], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for (role, signal) in signals {
            let (found, texts) = try say(signal, from: role)
            #expect(found == [signal], "\(role) wrote \(texts)", sourceLocation: sourceLocation)
        }
    }

    /// Expects that encoding an unsupported signal throws before anything is written.
    func refuses(_ signals: [WireSignal], sourceLocation: SourceLocation = #_sourceLocation) {
        for signal in signals {
            for role in [WebSocketRole.client, .server] {
                var machine = wire.makeMachine(role)
                #expect(sourceLocation: sourceLocation) {
                    _ = try machine.encode(signal)
                } throws: { error in
                    (error as? NetError)?.code == .unsupported
                }
            }
        }
    }

    /// Expects that damaged messages are decoded or rejected by either end, and never crash the process.
    func survivesDamage(to messages: [String], seed: UInt64 = 7, sourceLocation: SourceLocation = #_sourceLocation) {
        let random = SeededRandom(seed: seed)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        for text in messages {
            let bytes = Array(text.utf8)
            var damaged = (0...bytes.count).map { Array(bytes[..<$0]) }
            for _ in 0..<200 {
                var copy = bytes
                for _ in 0...below(3) where !copy.isEmpty { copy[below(copy.count)] = UInt8(below(128)) }
                damaged.append(copy)
            }
            damaged += [Array(repeating: UInt8(ascii: "["), count: 100_000), Array("{\"a\":".utf8)]
            for role in [WebSocketRole.client, .server] {
                var machine = role == .client ? client : server
                for bytes in damaged {
                    let message = WebSocketMessage.text(String(decoding: bytes, as: UTF8.self))
                    do throws(NetError) { _ = try machine.decode(message) } catch {
                        #expect(error.code == .decoding, sourceLocation: sourceLocation)
                    }
                }
                _ = try? machine.decode(.binary(Bytes(bytes)))
            }
        }
    }
}
