/// One value of a ``JSONDocument``: its kind and its place in the text.
///
/// Entries lie in the order of the text. The entries of a container follow its own; in an object each name, a string, comes
/// before its value.
struct JSONEntry {
    enum Kind: UInt8 {
        case null, `true`, `false`
        /// A number without fraction and exponent.
        case integer
        /// Any other number.
        case real
        case string
        case array, object
    }

    /// The offset of the first byte; of a string, of the byte after the quotation mark.
    let offset: UInt32
    /// The number of bytes, without quotation marks; of a container, the index after its last entry.
    var extent: UInt32
    /// The number of elements or members.
    var count: UInt32 = 0
    let kind: Kind
    /// Whether a string is ASCII without escapes: its bytes are its text.
    var isPlain = true
    /// Whether a string has escapes.
    var hasEscapes = false

    var isContainer: Bool { kind == .array || kind == .object }

    var isNumber: Bool { kind == .integer || kind == .real }

    /// The end of a message about a value of another type.
    var mismatch: String {
        switch kind {
        case .null: "found null instead"
        case .true, .false: "found a truth value instead"
        case .integer, .real: "found a number instead"
        case .string: "found a string instead"
        case .array: "found an array instead"
        case .object: "found an object instead"
        }
    }
}
