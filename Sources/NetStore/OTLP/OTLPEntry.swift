internal import NetCore

/// An entry with all that its spans need.
struct OTLPEntry: Sendable {
    /// An attempt and when it ended.
    struct Attempt: Sendable {
        let attempt: StoredAttempt
        /// Since the start of the call; nil if only its duration is known.
        let end: Duration?
    }

    let item: StoredItem
    /// The attempts of a call.
    var attempts: [Attempt] = []
    /// The trace of the call that opened a WebSocket or wrote a line.
    var ownerTrace: CallID?
}

extension OTLPEntry {
    /// Marks the requests of an exporter, so that it doesn't send what it has sent.
    static let tag = "swift-net.otlp"

    /// Whether it is a request of an exporter.
    var isOfAnExporter: Bool { item.kind == .call && item.tags.contains(Self.tag) }

    /// The trace of the entry: that of the last attempt that sent one, else one with the ID of the entry.
    var trace: CallID {
        switch item.kind {
        case .call:
            attempts.last { $0.attempt.trace != nil }?.attempt.trace.map { CallID($0.traceID) } ?? Self.valid(item.uid)
        case .socket: ownerTrace ?? Self.valid(item.uid)
        case .job: Self.valid(item.uid)
        case .log: ownerTrace ?? Self.valid(item.owner ?? item.uid)
        }
    }

    /// The ID of a trace must not be 0.
    static func valid(_ id: CallID) -> CallID { id.high == 0 && id.low == 0 ? CallID(high: 0, low: 1) : id }
}

extension CallID {
    init(_ trace: TraceParent.TraceID) { self.init(high: trace.high, low: trace.low) }
}
