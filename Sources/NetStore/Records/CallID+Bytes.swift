internal import NetCore

extension CallID {
    /// Creates an ID from its 16 bytes, most significant first; nil for any other number of bytes.
    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(bytes[0..<8]), low: word(bytes[8..<16]))
    }

    /// The 16 bytes, most significant first.
    var bytes: [UInt8] { withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) } }
}
