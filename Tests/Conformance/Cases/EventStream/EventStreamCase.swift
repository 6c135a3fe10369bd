import Foundation
import NetCore

/// An event stream, and the events in it.
struct EventStreamCase: Decodable {
    struct Event: Decodable, Equatable {
        let type, data, lastEventId: String
    }

    let id: String
    let inputB64: Data
    let events: [Event]
    let finalLastEventId: String
    let retryMs: Retry

    /// Returns the problem with the parser's result; nil if there is none.
    func problem() -> String? {
        let bytes = Bytes(inputB64)
        let whole = EventStreamOutcome([bytes])
        if let error = whole.error { return "threw \(error)" }
        if whole.events != events { return "events \(whole.events), expected \(events)" }
        if whole.lastEventID != finalLastEventId {
            return "last event id \"\(whole.lastEventID)\", expected \"\(finalLastEventId)\""
        }
        switch retryMs {
        case .any: break
        case .unset where whole.retry != nil: return "retry \(whole.retry ?? .zero), expected none"
        case .milliseconds(let time) where whole.retry != .milliseconds(time):
            return "retry \(whole.retry.map { "\($0)" } ?? "unset"), expected \(time) ms"
        default: break
        }
        if EventStreamOutcome(bytes.map { Bytes(CollectionOfOne($0)) }) != whole { return "differs byte by byte" }
        // The time grows with the square of the size: a debug build cuts large inputs at some positions only.
        #if DEBUG
        let step = max(1, bytes.count / 1024)
        #else
        let step = 1
        #endif
        for cut in stride(from: 0, through: bytes.count, by: step)
        where EventStreamOutcome([bytes[0..<cut], bytes[cut..<bytes.count]]) != whole {
            return "differs when cut at \(cut)"
        }
        return nil
    }
}

extension EventStreamCase {
    /// The expected reconnection time of a case.
    enum Retry: Decodable {
        case unset, any
        case milliseconds(Int64)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .unset
            } else if let text = try? container.decode(String.self), text == "any" {
                self = .any
            } else {
                self = .milliseconds(try container.decode(Int64.self))
            }
        }
    }
}
