internal import NetCore

/// A log record to send.
struct OTLPLogRecord: Sendable, Hashable {
    let trace: CallID?
    let span: UInt64?
    /// Microseconds since 1970.
    let time: Int64
    /// The number and name of the level; 0 if there is none.
    let severity: Int
    let level: String
    let body: String
    let attributes: OTLPAttributes

    /// The OpenTelemetry severity numbers of swift-log's levels.
    private static let severities = [
        "trace": 1, "debug": 5, "info": 9, "notice": 10, "warning": 13, "error": 17, "critical": 21,
    ]

    /// Creates the record of a log line. Its span is that of the call, not that of an attempt.
    init(_ entry: OTLPEntry) {
        let item = entry.item
        trace = item.owner.map { _ in entry.trace }
        span = item.owner.map { OTLPSpanID.derived(from: $0, .call) }
        time = StoredTime.microseconds(of: item.startedAt)
        level = item.level ?? ""
        severity = Self.severities[level] ?? 0
        body = item.message ?? ""
        var attributes = OTLPAttributes()
        if let detail = item.detail {
            let members = try? JSONCoding.standard.decode([String: JSONValue].self, from: Bytes(detail.utf8))
            attributes = members.map { OTLPAttributes($0) } ?? attributes
            if members == nil { attributes.add("swift_net.detail", detail) }
        }
        attributes.add("swift_net.item", item.id)
        self.attributes = attributes
    }

    func write(to json: inout OTLPJSON) {
        json.raw("{\"timeUnixNano\":")
        json.moment(time)
        json.raw(",\"observedTimeUnixNano\":")
        json.moment(time)
        if severity > 0 {
            json.raw(",\"severityNumber\":")
            json.number(severity)
        }
        json.raw(",\"severityText\":")
        json.string(level)
        json.raw(",\"body\":{\"stringValue\":")
        json.string(body)
        json.raw("},\"attributes\":")
        json.attributes(attributes)
        if let trace, let span {
            json.raw(",\"traceId\":")
            json.id(trace.high, trace.low)
            json.raw(",\"spanId\":")
            json.id(span)
        }
        json.raw("}")
    }
}
