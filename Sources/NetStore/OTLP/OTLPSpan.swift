internal import NetCore

/// A span to send.
struct OTLPSpan: Sendable, Hashable {
    /// The span kinds in use; the raw values are OTLP's numbers.
    enum Kind: Int, Sendable, Hashable {
        case `internal` = 1
        case client = 3
    }

    /// An event of the span at a point in time.
    struct Event: Sendable, Hashable {
        let time: Int64
        let name: String
        let attributes: OTLPAttributes
    }

    /// A link to another span that this one belongs to.
    struct Link: Sendable, Hashable {
        let trace: CallID
        let span: UInt64
    }

    let trace: CallID
    let span: UInt64
    var parent: UInt64?
    var isSampled = true
    let name: String
    let kind: Kind
    /// Microseconds since 1970.
    let start, end: Int64
    var attributes = OTLPAttributes()
    var events: [Event] = []
    var links: [Link] = []
    /// True if the status is an error; otherwise, it is unset.
    var isError = false
    /// The error message.
    var message: String?
}

extension OTLPSpan {
    /// The sampled flag, and the flag for a parent known to be in this process.
    var flags: Int { (isSampled ? 0x01 : 0) | 0x100 }

    /// Marks the span as failed with the given error type.
    mutating func fail(_ type: String, _ message: String?) {
        attributes.add("error.type", type)
        isError = true
        if let message, !message.isEmpty { self.message = message }
    }

    func write(to json: inout OTLPJSON) {
        json.raw("{\"traceId\":")
        json.id(trace.high, trace.low)
        json.raw(",\"spanId\":")
        json.id(span)
        if let parent {
            json.raw(",\"parentSpanId\":")
            json.id(parent)
        }
        json.raw(",\"flags\":")
        json.number(flags)
        json.raw(",\"name\":")
        json.string(name)
        json.raw(",\"kind\":")
        json.number(kind.rawValue)
        json.raw(",\"startTimeUnixNano\":")
        json.moment(start)
        json.raw(",\"endTimeUnixNano\":")
        json.moment(max(start, end))
        json.raw(",\"attributes\":")
        json.attributes(attributes)
        writeEvents(to: &json)
        writeLinks(to: &json)
        if isError {
            json.raw(",\"status\":{\"code\":2")
            if let message {
                json.raw(",\"message\":")
                json.string(message)
            }
            json.raw("}")
        }
        json.raw("}")
    }

    private func writeEvents(to json: inout OTLPJSON) {
        guard !events.isEmpty else { return }
        json.raw(",\"events\":[")
        for event in events {
            json.separate()
            json.raw("{\"timeUnixNano\":")
            json.moment(event.time)
            json.raw(",\"name\":")
            json.string(event.name)
            json.raw(",\"attributes\":")
            json.attributes(event.attributes)
            json.raw("}")
        }
        json.raw("]")
    }

    private func writeLinks(to json: inout OTLPJSON) {
        guard !links.isEmpty else { return }
        json.raw(",\"links\":[")
        for link in links {
            json.separate()
            json.raw("{\"traceId\":")
            json.id(link.trace.high, link.trace.low)
            json.raw(",\"spanId\":")
            json.id(link.span)
            json.raw("}")
        }
        json.raw("]")
    }
}

extension OTLPJSON {
    /// Appends a time in nanoseconds since 1970, which is unsigned.
    mutating func moment(_ microseconds: Int64) {
        let (nanoseconds, isTooFar) = max(0, microseconds).multipliedReportingOverflow(by: 1000)
        long(isTooFar ? .max : nanoseconds)
    }
}
