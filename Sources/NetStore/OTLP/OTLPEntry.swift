internal import NetCore

/// An entry with everything that its spans need.
struct OTLPEntry: Sendable {
    /// An attempt and its end.
    struct Attempt: Sendable {
        let attempt: StoredAttempt
        /// The time since the start of the call; nil if only the attempt's duration is known.
        let end: Duration?
    }

    let item: StoredItem
    /// The attempts of a call.
    var attempts: [Attempt] = []
    /// The trace of the call that opened a WebSocket or wrote a log line.
    var ownerTrace: CallID?
}

extension OTLPEntry {
    /// Marks the requests of an exporter, so that it doesn't export its own requests.
    static let tag = "swift-net.otlp"

    /// True if the entry is a request of an exporter.
    var isOfAnExporter: Bool { item.kind == .call && item.tags.contains(Self.tag) }

    /// The entry's trace: that of the last attempt that sent one; otherwise one derived from the entry's ID.
    var trace: CallID {
        switch item.kind {
        case .call:
            attempts.last { $0.attempt.trace != nil }?.attempt.trace.map { CallID($0.traceID) } ?? Self.valid(item.uid)
        case .socket: ownerTrace ?? Self.valid(item.uid)
        case .job: Self.valid(item.uid)
        case .log: ownerTrace ?? Self.valid(item.owner ?? item.uid)
        }
    }

    /// Ensures that a trace ID isn't 0, which is invalid.
    static func valid(_ id: CallID) -> CallID { id.high == 0 && id.low == 0 ? CallID(high: 0, low: 1) : id }
}

extension CallID {
    init(_ trace: TraceParent.TraceID) { self.init(high: trace.high, low: trace.low) }
}
