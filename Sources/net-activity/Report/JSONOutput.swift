#if Tools
/// Writes compact JSON into bytes.
struct JSONOutput {
    private(set) var bytes: [UInt8] = []

    mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func number(_ value: Int64?) {
        guard let value else { return raw("null") }
        bytes.append(contentsOf: String(value).utf8)
    }

    mutating func number(_ value: Int) { number(Int64(value)) }

    mutating func string(_ value: String?) {
        guard var value else { return raw("null") }
        bytes.append(UInt8(ascii: "\""))
        value.withUTF8 { text in
            for byte in text {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    bytes.append(UInt8(ascii: "\\"))
                    bytes.append(byte)
                case 0x0a: raw("\\n")
                case 0..<0x20:
                    raw("\\u00")
                    bytes.append(Self.digit(byte >> 4))
                    bytes.append(Self.digit(byte & 15))
                default: bytes.append(byte)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a member of an object: its name, and the value that the closure writes.
    mutating func member(_ name: String, isFirst: Bool = false, _ write: (inout JSONOutput) -> Void) {
        if !isFirst { raw(",") }
        string(name)
        raw(":")
        write(&self)
    }

    mutating func array<Values: Sequence>(_ values: Values, _ write: (inout JSONOutput, Values.Element) -> Void) {
        raw("[")
        var isFirst = true
        for value in values {
            if !isFirst { raw(",") }
            isFirst = false
            write(&self, value)
        }
        raw("]")
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
}
#endif
