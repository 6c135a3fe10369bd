#if Tools
internal import NetCore
internal import NetStore

/// The captured content of the entries, in parts that the page reads on demand.
///
/// A part is a line of JSON, followed by the raw bytes of all bodies; the JSON contains the offset and length of each.
struct ReportContent {
    /// The size in bytes at which a part ends: small enough to inflate between two frames.
    var partSize = 1 << 20
    /// The maximum total size of the bodies and messages, in bytes. Entries are added newest first, so the oldest ones
    /// have none. Default: a page of about 40 MB at most, which browsers open without delay.
    var maximumBodies: Int64 = 32 << 20

    private(set) var parts: [[UInt8]] = []
    /// The number of hidden values, and the number of cut bodies and messages.
    private(set) var hidden = 0
    private(set) var cut = 0
    /// The number of bodies and messages beyond ``maximumBodies``.
    private(set) var omitted = 0
    private var total: Int64 = 0
    private var part: [UInt8] = []
    private var bytes: [UInt8] = []

    /// Adds the captured content of the entry with this number; returns the number of its part, or nil if nothing was
    /// captured.
    mutating func add(_ entry: ReportEntry, number: Int64) -> Int64? {
        guard !entry.exchanges.isEmpty || !entry.messages.isEmpty else { return nil }
        var output = JSONOutput()
        output.raw(part.isEmpty ? "{" : ",")
        output.string(String(number))
        output.raw(":{")
        output.member("exchanges", isFirst: true) { output in
            output.array(entry.exchanges) { write($1, to: &$0) }
        }
        if !entry.messages.isEmpty {
            output.member("messages") { output in output.array(entry.messages) { write($1, to: &$0) } }
        }
        output.raw("}")
        part += output.bytes
        let place = Int64(parts.count)
        if part.count + bytes.count >= partSize { finish() }
        return place
    }

    /// Ends the last part.
    mutating func finish() {
        guard !part.isEmpty else { return }
        parts.append(part + Array("}\n".utf8) + bytes)
        part = []
        bytes = []
    }

    private mutating func write(_ exchange: StoredExchange, to output: inout JSONOutput) {
        output.raw("[")
        output.number(exchange.number)
        output.raw(",")
        output.number(exchange.status.map(Int64.init))
        output.raw(",")
        write(exchange.requestHeaders, to: &output)
        output.raw(",")
        write(exchange.request, to: &output)
        output.raw(",")
        write(exchange.responseHeaders, to: &output)
        output.raw(",")
        write(exchange.response, to: &output)
        output.raw(",")
        write(exchange.trailers, to: &output)
        output.raw("]")
    }

    private mutating func write(_ message: StoredMessage, to output: inout JSONOutput) {
        output.raw("[")
        for number in [
            Int64(message.number), message.date.microseconds, message.isSent ? 1 : 0, Int64(message.kind.rawValue),
            message.size,
        ] {
            output.number(number)
            output.raw(",")
        }
        if let bytes = message.text.map({ Bytes($0.utf8) }) ?? message.bytes {
            write(bytes, size: message.size, isCut: message.isCut, to: &output)
        } else {
            output.raw("null")
        }
        output.raw("]")
    }

    private mutating func write(_ fields: [StoredExchange.Field], to output: inout JSONOutput) {
        guard !fields.isEmpty else { return output.raw("null") }
        for field in fields { note(field.value) }
        output.string(fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n"))
    }

    private mutating func write(_ body: StoredExchange.Body?, to output: inout JSONOutput) {
        guard let body else { return output.raw("null") }
        write(body.bytes, size: body.size, isCut: body.isCut, to: &output)
    }

    private mutating func write(_ bytes: Bytes, size: Int64?, isCut: Bool, to output: inout JSONOutput) {
        if total + Int64(bytes.count) > maximumBodies {
            omitted += 1
            output.raw("[0,0,0,")
            output.number(size ?? Int64(bytes.count))
            return output.raw(",1]")
        }
        total += Int64(bytes.count)
        if isCut { cut += 1 }
        let content = Array(bytes)
        if let text = String(validating: content, as: UTF8.self) {
            note(text)
            output.raw("[0,")
        } else {
            output.raw("[1,")
        }
        for number in [Int64(self.bytes.count), Int64(content.count)] {
            output.number(number)
            output.raw(",")
        }
        self.bytes += content
        output.number(size)
        output.raw(isCut ? ",1]" : ",0]")
    }

    /// Counts the hidden values in a text.
    mutating func note(_ text: String) { hidden += text.occurrences(of: "<redacted>") }
}

extension String {
    /// Returns the number of occurrences of a text, without overlaps.
    func occurrences(of text: StaticString) -> Int {
        var copy = self
        return copy.withUTF8 { bytes in
            text.withUTF8Buffer { needle in
                guard let first = needle.first else { return 0 }
                var count = 0
                var place = 0
                while place + needle.count <= bytes.count {
                    if bytes[place] == first, bytes[place..<place + needle.count].elementsEqual(needle) {
                        count += 1
                        place += needle.count
                    } else {
                        place += 1
                    }
                }
                return count
            }
        }
    }
}
#endif
