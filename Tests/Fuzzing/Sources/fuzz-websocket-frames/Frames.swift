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

/// The first five bytes choose the role, the limit, the block and the cuts; the rest is a peer's output. Reading whole
/// and reading in pieces must have the same result.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    guard count > 5 else { return 0 }
    let role: WebSocketRole = input[0] & 1 == 0 ? .client : .server
    let limit = [0, 10, 200, 5000, 100_000, Int.max][Int(input[0] >> 1) % 6]
    let blockSize = [131, 150, 1000, 64 << 10][Int(input[1] & 3)]
    let steps = [1 + Int(input[2]), 1 + Int(input[3]) * 40, 1 + Int(input[4]) % 8]
    let bytes = UnsafeRawBufferPointer(rebasing: input[5...])

    let whole = Reading(bytes, role: role, limit: limit, blockSize: 64 << 10, steps: [max(bytes.count, 1)])
    let pieces = Reading(bytes, role: role, limit: limit, blockSize: blockSize, steps: steps)
    guard whole == pieces else { fatalError("read whole: \(whole)\nread in pieces: \(pieces)") }
    writeAgain(whole.events, role: role)
    return 0
}

/// A decoder's result for the bytes.
struct Reading: Equatable {
    var events: [WebSocketEvent] = []
    var violation: WebSocketViolation?
    var isMidMessage: Bool

    init(_ bytes: UnsafeRawBufferPointer, role: WebSocketRole, limit: Int, blockSize: Int, steps: [Int]) {
        var decoder = MessageDecoder(role: role, maximumMessageBytes: limit, blocks: ReadBlock(size: blockSize))
        var rest = bytes[...]
        var turn = 0
        while !rest.isEmpty {
            let piece = rest.prefix(steps[turn % steps.count])
            rest = rest.dropFirst(piece.count)
            turn += 1
            do throws(WebSocketViolation) {
                try decoder.receive(UnsafeRawBufferPointer(rebasing: piece), into: &events)
            } catch {
                guard violation == nil else { fatalError("a second violation: \(error)") }
                violation = error
            }
        }
        isMidMessage = decoder.isMidMessage
    }
}

/// Encodes the decoded frames as the other side would, and decodes them again.
func writeAgain(_ events: [WebSocketEvent], role: WebSocketRole) {
    var buffer = FrameBuffer(role: role == .client ? .server : .client, maskKeys: MaskKeys())
    for event in events {
        switch event {
        case .message(let message): buffer.append(message)
        case .ping(let bytes): bytes.withUnsafeBytes { buffer.append(.ping, payload: $0) }
        case .pong(let bytes): bytes.withUnsafeBytes { buffer.append(.pong, payload: $0) }
        case .close(let code, let reason): buffer.appendClose(code, reason: reason)
        }
    }
    let again = buffer.withPending {
        Reading($0, role: role, limit: .max, blockSize: 300, steps: [7, 1000, 1])
    }
    guard again.events == events, again.violation == nil, !again.isMidMessage else {
        fatalError("read: \(events)\nwritten and read again: \(again)")
    }
}
