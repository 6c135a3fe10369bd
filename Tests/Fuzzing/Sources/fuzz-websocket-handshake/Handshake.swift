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

/// The first byte chooses the pieces, the rest is a server's answer. Read whole and read in pieces it must come to the
/// same.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
    let whole = verdict(bytes, step: count)
    let pieces = verdict(bytes, step: 1 + Int(start[0]) % 40)
    guard whole == pieces else { fatalError("read whole: \(whole)\nread in pieces: \(pieces)") }
    return 0
}

/// What came of the answer, without the body, of which as much is handed over as has arrived.
func verdict(_ bytes: UnsafeRawBufferPointer, step: Int) -> String {
    let request = WebSocketRequest(url: "ws://h/", subprotocols: ["chat", "a"])
    // The key of RFC 6455 section 1.3, whose accept value the seeds have.
    var handshake = ClientHandshake(request: request, host: "h", path: "/", key: "dGhlIHNhbXBsZSBub25jZQ==")
    var start = 0
    while start < bytes.count {
        let end = min(start + step, bytes.count)
        do throws(WebSocketViolation) {
            switch try handshake.receive(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) {
            case .needsMore: start = end
            case .accepted(let head, let subprotocol, let consumed):
                return "accepted \(head) \(head.fields) \(subprotocol ?? "-") \(start + consumed)"
            case .refused(let head, _): return "refused \(head) \(head.fields)"
            }
        } catch {
            return "violation \(error)"
        }
    }
    return "more"
}
