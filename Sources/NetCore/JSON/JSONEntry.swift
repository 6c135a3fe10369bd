/// A value of a ``JSONDocument``: its kind and its position in the text.
///
/// Entries are in the order of the text. A container's entries follow it; in an object, each name is a string entry
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

    /// The offset of the first byte; for a string, of the byte after the quotation mark.
    let offset: UInt32
    /// The number of bytes, without quotation marks; for a container, the index after its last entry.
    var extent: UInt32
    /// The number of elements or members.
    var count: UInt32 = 0
    let kind: Kind
    /// True if a string is ASCII without escapes, so its bytes are its text.
    var isPlain = true
    /// True if a string has escapes.
    var hasEscapes = false

    var isContainer: Bool { kind == .array || kind == .object }

    var isNumber: Bool { kind == .integer || kind == .real }

    /// The end of an error message about a value of another type.
    var mismatch: String {
        switch kind {
        case .null: "found null instead"
        case .true, .false: "found a Boolean instead"
        case .integer, .real: "found a number instead"
        case .string: "found a string instead"
        case .array: "found an array instead"
        case .object: "found an object instead"
        }
    }
}
