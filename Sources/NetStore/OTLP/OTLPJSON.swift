/// Writes JSON according to OTLP's mapping of protocol buffers: IDs in hexadecimal, 64-bit integers as decimal text.
struct OTLPJSON {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// Appends text that is already JSON.
    mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends an encoded value.
    mutating func append(_ other: [UInt8]) { bytes.append(contentsOf: other) }

    /// Appends a comma, unless a list or an object has just begun.
    mutating func separate() {
        guard let last = bytes.last, last != UInt8(ascii: "["), last != UInt8(ascii: "{") else { return }
        bytes.append(UInt8(ascii: ","))
    }

    /// Appends a quoted string.
    mutating func string(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { source in
            for byte in source {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    bytes.append(UInt8(ascii: "\\"))
                    bytes.append(byte)
                case 0..<0x20, 0x7f:
                    raw("\\u00")
                    bytes.append(Self.digit(byte >> 4))
                    bytes.append(Self.digit(byte & 15))
                default: bytes.append(byte)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a JSON number.
    mutating func number(_ value: Int) { bytes.append(contentsOf: String(value).utf8) }

    /// Appends a 64-bit integer as a string of decimal digits.
    mutating func long(_ value: Int64) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: String(value).utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a floating-point number; as a string if it isn't finite.
    mutating func double(_ value: Double) {
        if value.isFinite {
            bytes.append(contentsOf: String(value).utf8)
        } else {
            raw(value.isNaN ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"")
        }
    }

    /// Appends an ID of 64 bits: 16 hexadecimal digits, quoted.
    mutating func id(_ value: UInt64) {
        bytes.append(UInt8(ascii: "\""))
        hexadecimal(value)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends an ID of 128 bits: 32 hexadecimal digits, quoted.
    mutating func id(_ high: UInt64, _ low: UInt64) {
        bytes.append(UInt8(ascii: "\""))
        hexadecimal(high)
        hexadecimal(low)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func hexadecimal(_ value: UInt64) {
        for shift in stride(from: 60, through: 0, by: -4) {
            bytes.append(Self.digit(UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 15))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
