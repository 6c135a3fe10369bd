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

/// The first byte chooses the pieces, the rest is a server's response. Reading whole and reading in pieces must have
/// the same result.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
    let whole = verdict(bytes, step: count)
    let pieces = verdict(bytes, step: 1 + Int(start[0]) % 40)
    guard whole == pieces else { fatalError("read whole: \(whole)\nread in pieces: \(pieces)") }
    return 0
}

/// Returns the result for the response.
func verdict(_ bytes: UnsafeRawBufferPointer, step: Int) -> String {
    // The key of RFC 6455 section 1.3, whose accept value is in the seeds.
    var handshake = ClientHandshake(
        subprotocols: ["chat", "a"], host: "h", path: "/", key: "dGhlIHNhbXBsZSBub25jZQ==")
    var start = 0
    while start < bytes.count {
        let end = min(start + step, bytes.count)
        do throws(WebSocketViolation) {
            switch try handshake.receive(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) {
            case .needsMore: start = end
            case .accepted(let head, let subprotocol, _, let consumed):
                return "accepted \(head) \(head.headers) \(subprotocol ?? "-") \(start + consumed)"
            case .refused(let head, let body): return "refused \(head) \(head.headers) \(body.count)"
            }
        } catch {
            return "violation \(error)"
        }
    }
    guard case .refused(let head, let body)? = handshake.end() else { return "more" }
    return "refused \(head) \(head.headers) \(body.count)"
}
