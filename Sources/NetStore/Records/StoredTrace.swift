internal import NetCore

/// A `traceparent` in the form of the tables: 9 bytes (parent, flags) if the trace has the ID of the call, which is the
/// case for a trace without a parent; otherwise 25 bytes (trace, parent, flags).
enum StoredTrace {
    static func bytes(_ trace: TraceParent, call: CallID) -> [UInt8] {
        var bytes: [UInt8] = []
        if trace.traceID.high != call.high || trace.traceID.low != call.low {
            bytes = CallID(high: trace.traceID.high, low: trace.traceID.low).bytes
        }
        withUnsafeBytes(of: trace.parentID.bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(trace.isSampled ? 1 : 0)
        return bytes
    }

    /// Returns nil for bytes of any other length.
    static func trace(_ bytes: [UInt8], call: CallID) -> TraceParent? {
        guard bytes.count == 9 || bytes.count == 25 else { return nil }
        let id = bytes.count == 25 ? CallID(bytes: Array(bytes.prefix(16))) : call
        let parent = bytes.suffix(9).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let id, let traceID = TraceParent.TraceID(high: id.high, low: id.low) else { return nil }
        return TraceParent(traceID: traceID, parentID: parent, isSampled: bytes.last == 1)
    }
}
