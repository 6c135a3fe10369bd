#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The decimal form of a JSON number: ± `digits` × 10^`exponent`, without zeros at either end of the digits.
struct JSONNumber {
    /// The significant digits; if they don't all fit, the first ones.
    private(set) var digits: UInt128 = 0
    private var areAllThere = true
    /// The number of all significant digits; 0 for zero.
    private(set) var digitCount = 0
    private(set) var exponent = 0
    private(set) var isNegative = false

    /// Parses a number that has the right form.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        var zeros = 0
        var fractionCount = 0
        var isFraction = false
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                exponent = Self.exponent(text[index...])
                index = text.count
            default:
                fractionCount += isFraction ? 1 : 0
                let digit = byte &- UInt8(ascii: "0")
                if digit == 0 { zeros += digitCount == 0 ? 0 : 1 } else { append(digit, after: &zeros) }
            }
        }
        exponent = digitCount == 0 ? 0 : exponent - fractionCount + zeros
    }

    private mutating func append(_ digit: UInt8, after zeros: inout Int) {
        digitCount += zeros + 1
        if areAllThere, let more = Self.appending(digit, after: zeros, to: digits) {
            digits = more
        } else {
            areAllThere = false
        }
        zeros = 0
    }

    /// Returns nil above `UInt128.max`.
    private static func appending(_ digit: UInt8, after zeros: Int, to digits: UInt128) -> UInt128? {
        guard zeros < 39 else { return nil }
        var value = digits
        for _ in 0...zeros {
            let (next, overflows) = value.multipliedReportingOverflow(by: 10)
            guard !overflows else { return nil }
            value = next
        }
        let (sum, overflows) = value.addingReportingOverflow(UInt128(digit))
        return overflows ? nil : sum
    }

    /// Returns the exponent, capped near ±10^13: no document has enough digits to compensate for a larger one.
    private static func exponent(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var value = 0
        for byte in text where byte &- UInt8(ascii: "0") < 10 && value < 1 << 40 {
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return text.first == UInt8(ascii: "-") ? -value : value
    }

    /// The absolute value; nil if it's a fraction or above `UInt128.max`.
    var wholeMagnitude: UInt128? {
        guard digitCount > 0 else { return 0 }
        guard exponent >= 0, digitCount + exponent <= 39, areAllThere else { return nil }
        var value = digits
        for _ in 0..<exponent {
            let (next, overflows) = value.multipliedReportingOverflow(by: 10)
            guard !overflows else { return nil }
            value = next
        }
        return value
    }

    /// True if the shortest text of the number's `Double` is sure to have the same digits: there are at most 15, and
    /// the `Double` is of normal size.
    var isShort: Bool { digitCount <= 15 && digitCount + exponent > -300 }

    /// True if the nearest `Double` is zero or close to it. Meaningful only for numbers other than zero.
    var isTiny: Bool { digitCount + exponent < 0 }

    func hasDigits(of other: JSONNumber) -> Bool {
        digits == other.digits && digitCount == other.digitCount && exponent == other.exponent
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]

    /// Returns the nearest `Double`; nil above the largest, and for a nonzero number that would become zero.
    func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        if digitCount <= 15, abs(exponent) <= 22 {
            // Both operands are exact, so the result is rounded once.
            let whole = Double(UInt64(digits))
            let value = exponent < 0 ? whole / Self.powers[-exponent] : whole * Self.powers[exponent]
            return isNegative ? -value : value
        }
        return floating(text, Double.self)
    }

    /// Returns the nearest value; nil above the largest, and for a nonzero number that would become zero.
    func floating<Value: BinaryFloatingPoint & LosslessStringConvertible>(
        _ text: UnsafeBufferPointer<UInt8>, _ type: Value.Type
    ) -> Value? {
        guard let value = Value(String(decoding: text, as: UTF8.self)), value.isFinite, value != 0 || digitCount == 0
        else { return nil }
        return value
    }
}

extension JSONDocument {
    /// Returns a whole number of at most 18 digits, the most common kind; nil for any other entry.
    @inline(__always)
    func shortInteger(_ entry: JSONEntry) -> Int64? {
        guard entry.kind == .integer, entry.extent <= 18 else { return nil }
        return withText(of: entry) { text in
            var value: Int64 = 0
            for byte in text where byte != UInt8(ascii: "-") { value = value &* 10 &+ Int64(byte &- UInt8(ascii: "0")) }
            return text[0] == UInt8(ascii: "-") ? -value : value
        }
    }

    /// Returns a whole number, which may be written with an exponent or a fraction of zeros; nil if the type can't
    /// hold it.
    func integer<Value: FixedWidthInteger>(at index: Int, _ type: Value.Type) -> Value? {
        let entry = entries[index]
        if let short = shortInteger(entry) { return Value(exactly: short) }
        return withText(of: entry) { text in
            let number = JSONNumber(text)
            if let magnitude = number.wholeMagnitude {
                guard number.isNegative else { return Value(exactly: magnitude) }
                guard magnitude <= UInt128(1) << 127 else { return nil }
                return Value(exactly: Int128(truncatingIfNeeded: 0 &- magnitude))
            }
            // As in Foundation's decoder, 1.00000000000000000001 is read as the `Double` 1.
            guard entry.kind == .real, let double = number.double(text), abs(double) < 0x1p53 else { return nil }
            return Value(exactly: double)
        }
    }

    func double(at index: Int) -> Double? {
        let entry = entries[index]
        if let short = shortInteger(entry), short != 0 { return Double(short) }
        return withText(of: entry) { JSONNumber($0).double($0) }
    }

    /// Returns the nearest `Double`, including zero for a tiny number; nil above the largest.
    func nearest(at index: Int) -> Double? {
        double(at: index) ?? (withText(of: entries[index]) { JSONNumber($0).isTiny } ? 0 : nil)
    }

    func float(at index: Int) -> Float? {
        withText(of: entries[index]) { JSONNumber($0).floating($0, Float.self) }
    }

    func decimal(at index: Int) -> Decimal? {
        Decimal(string: withText(of: entries[index]) { String(decoding: $0, as: UTF8.self) })
    }

    /// Returns the number as a ``JSONValue``: an integer if it is whole, a decimal if a `Double` would round it.
    func number(at index: Int) -> JSONValue? {
        let entry = entries[index]
        if let short = shortInteger(entry) { return .integer(short) }
        let (number, double) = withText(of: entry) { text in
            let number = JSONNumber(text)
            return (number, number.double(text))
        }
        if let magnitude = number.wholeMagnitude {
            if let value = integer(at: index, Int64.self) { return .integer(value) }
            if !number.isNegative, let value = UInt64(exactly: magnitude) { return .unsigned(value) }
        }
        // The range of `Decimal` is smaller, so it can't hold these numbers either.
        guard let double = double ?? (number.isTiny ? (number.isNegative ? -0.0 : 0.0) : nil) else { return nil }
        let short = double.description
        let isExact =
            number.isShort || Array(short.utf8).withUnsafeBufferPointer { number.hasDigits(of: JSONNumber($0)) }
        if !isExact, let decimal = decimal(at: index), decimal != Decimal(string: short) { return .decimal(decimal) }
        return .number(double)
    }
}
