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

/// The first byte chooses the settings; the rest is a header, once as an offer and once as a response.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: start, count: count)
    guard count > 1 else { return 0 }
    let field = String(decoding: input.dropFirst(), as: UTF8.self)
    let settings = WebSocketCompression(
        sending: .init(windowBits: 9 + Int(input[0] & 7), takesOverContext: input[0] & 8 == 0),
        receiving: .init(windowBits: 9 + Int(input[0] >> 4 & 7), takesOverContext: input[0] & 128 == 0),
        fallsBack: false)
    if let (answer, agreed) = CompressionNegotiation.answer(field, settings: settings) {
        check(answer, agreed, to: field)
    }
    if let agreed = try? CompressionNegotiation.agreed(field, offered: settings) {
        guard agreed.receiving.windowBits <= settings.receiving.windowBits || settings.receiving.windowBits < 9,
            agreed.sending.windowBits <= settings.sending.windowBits,
            settings.receiving.takesOverContext || !agreed.receiving.takesOverContext,
            settings.sending.takesOverContext || !agreed.sending.takesOverContext
        else { fatalError("\(field) went beyond \(settings): \(agreed)") }
    }
    return 0
}

/// Checks that a response is well-formed, and grants a client that offers everything no more than the server accepts.
func check(_ answer: String, _ agreed: WebSocketCompression, to offer: String) {
    guard let client = try? CompressionNegotiation.agreed(answer, offered: WebSocketCompression()) else {
        fatalError("a client refuses \(answer) to \(offer)")
    }
    guard client.sending.windowBits <= agreed.receiving.windowBits,
        agreed.sending.windowBits <= client.receiving.windowBits,
        agreed.receiving.takesOverContext || !client.sending.takesOverContext,
        client.receiving.takesOverContext || !agreed.sending.takesOverContext
    else { fatalError("\(offer): \(answer) is \(client) for the client and \(agreed) for the server") }
}
