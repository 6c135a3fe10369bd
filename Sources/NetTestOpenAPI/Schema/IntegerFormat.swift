#if Server
internal import NetCore

/// The formats of whole numbers in OpenAPI's registry of formats.
enum IntegerFormat: String {
    case int8, int16, int32, int64, uint8, uint16, uint32, uint64

    /// The least and the greatest number in range; beyond 2^53, the nearest `Double`.
    var bounds: (least: Double, most: Double) {
        switch self {
        case .int8: (Double(Int8.min), Double(Int8.max))
        case .int16: (Double(Int16.min), Double(Int16.max))
        case .int32: (Double(Int32.min), Double(Int32.max))
        case .int64: (Double(Int64.min), Double(Int64.max))
        case .uint8: (0, Double(UInt8.max))
        case .uint16: (0, Double(UInt16.max))
        case .uint32: (0, Double(UInt32.max))
        case .uint64: (0, Double(UInt64.max))
        }
    }

    /// Indicates whether a whole number is in range.
    func holds(_ value: JSONValue) -> Bool {
        switch value.canonical {
        case .integer(let whole): self == .int64 || isWithin(Double(whole))
        case .unsigned: self == .uint64
        case .number(let number): self == .uint64 && UInt64(exactly: number) != nil
        default: false
        }
    }

    private func isWithin(_ number: Double) -> Bool { number >= bounds.least && number <= bounds.most }
}
#endif
