import Foundation
import FuzzSupport

@testable import NetCore

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The bytes are `traceparent`, and the lines of `tracestate` and `baggage`. Decoded values must be encoded within the
/// limits, and decode again to the same.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    if let parent = TraceParent(text) {
        guard TraceParent(parent.description) == parent, parent.description.utf8.count == 55 else {
            fatalError("\(parent)")
        }
    }
    let lines = text.split(separator: "\n").map(String.init)
    if let state = TraceState(lines: lines) {
        let sent = state.fieldValue
        guard state.entries.count <= TraceState.maximumEntries, TraceState(state.description) == state,
            sent.utf8.count <= TraceState.maximumBytes, sent.isEmpty || TraceState(sent) != nil
        else { fatalError("\(state)") }
    }
    let baggage = Baggage(lines: lines)
    let sent = baggage.description
    guard baggage.members.count <= Baggage.maximumMembers, sent.utf8.count <= Baggage.maximumBytes else {
        fatalError("\(baggage)")
    }
    let again = Baggage(sent)
    guard again.members.allSatisfy({ member in baggage[member.key] == member.value }),
        Baggage(again.description) == again
    else { fatalError("\(text) is sent as \(sent)") }
    return 0
}
