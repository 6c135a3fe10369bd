import Foundation
import FuzzSupport

@testable import NetCore
@testable import NetSocketCore

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

let wires: [SocketWire] = [
    .json, .phoenixV2, .phoenixV1, .centrifuge, .graphQLTransport, .graphQLLegacy, .appSync, .jsonRPC, .socketIO,
    .numberedJSON,
]

/// The first byte chooses the wire protocol, the role, and binary or text messages; the rest is messages, separated by
/// zero bytes. One end decodes all of them, and the other end encodes the decoded signals.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: start, count: count)
    guard count > 1 else { return 0 }
    let wire = wires[Int(input[0] & 15) % wires.count]
    let role: WebSocketRole = input[0] & 16 == 0 ? .client : .server
    let isBinary = input[0] & 32 != 0
    var reader = wire.makeMachine(role)
    var writer = wire.makeMachine(role == .client ? .server : .client)
    reader.agree(on: wire.subprotocols.first)
    writer.agree(on: wire.subprotocols.first)
    for part in input.dropFirst().split(separator: 0, omittingEmptySubsequences: false) {
        let text = String(decoding: part, as: UTF8.self)
        guard let reading = try? reader.decode(isBinary ? .binary(Bytes(part)) : .text(text)) else { continue }
        for signal in reading.signals {
            guard let messages = try? writer.encode(signal) else { continue }
            // No decoded signal is lost in transit: the same end can decode it again.
            for message in messages { _ = try? reader.decode(message) }
        }
    }
    return 0
}
