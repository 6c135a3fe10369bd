extension StructuredField {
    /// A value without parameters (RFC 9651 section 3.3).
    public enum BareItem: Sendable, Hashable {
        /// At most 15 digits.
        case integer(Int64)
        /// At most 12 digits before the point; rounded to three decimal places when written.
        case decimal(Double)
        /// Printable ASCII.
        case string(String)
        /// A word that begins with a letter or `*`.
        case token(String)
        case byteSequence(Bytes)
        case boolean(Bool)
        /// Seconds since 1970, at most 15 digits.
        case date(Int64)
        /// Any text.
        case displayString(String)

        /// The integer; nil for another type.
        public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
        /// The decimal, or the integer as a decimal; nil for another type.
        public var decimal: Double? {
            switch self {
            case .decimal(let value): value
            case .integer(let value): Double(value)
            default: nil
            }
        }
        /// The string or display string; nil for another type, including a token.
        public var string: String? {
            switch self {
            case .string(let text), .displayString(let text): text
            default: nil
            }
        }
        /// The token; nil for another type.
        public var token: String? { if case .token(let text) = self { text } else { nil } }
        /// The bytes; nil for another type.
        public var byteSequence: Bytes? { if case .byteSequence(let bytes) = self { bytes } else { nil } }
        /// The boolean; nil for another type.
        public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    }
}
