/// An alternative in a negotiation header, with its weight: `text/html;q=0.8` (RFC 9110 section 12.4.2).
public struct Weighted: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The alternative with its own parameters: a media type, a coding or a language.
    public var value: String
    /// The weight, from 0 (not acceptable) to 1. Default 1. At most three decimals are sent.
    public var quality: Double {
        didSet { quality = Self.weight(quality) }
    }

    /// Creates an alternative. A weight outside 0 to 1 is clamped; NaN becomes 0.
    public init(_ value: String, quality: Double = 1) {
        self.value = value
        self.quality = Self.weight(quality)
    }

    private static func weight(_ quality: Double) -> Double { quality > 0 ? min(quality, 1) : 0 }

    public init(stringLiteral value: String) { self.init(value) }

    /// The alternative as it's sent: `text/html;q=0.8`, without a weight of 1.
    public var description: String {
        let thousandths = Int((quality * 1000).rounded())
        guard thousandths < 1000 else { return value }
        var digits = String(1000 + thousandths).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return digits.isEmpty ? "\(value);q=0" : "\(value);q=0.\(digits)"
    }

    /// Parses the alternatives of a header value, in order; malformed ones are skipped, as servers do.
    static func list(_ text: String) -> [Weighted] {
        split(text).compactMap { element in
            var pieces = split(element, at: UInt8(ascii: ";")).map { $0.drop { $0 == " " || $0 == "\t" } }
            var quality = 1.0
            if let place = pieces.firstIndex(where: { $0.lowercased().hasPrefix("q=") }), place > 0 {
                guard let number = Double(pieces[place].dropFirst(2)), number >= 0, number <= 1 else { return nil }
                quality = number
                pieces.removeSubrange(place...)
            }
            let value = pieces.map(String.init).joined(separator: ";")
            return value.isEmpty ? nil : Weighted(value, quality: quality)
        }
    }

    /// Returns the pieces between separators, without blanks around them; separators within quotes don't count.
    private static func split(_ text: some StringProtocol, at separator: UInt8 = UInt8(ascii: ",")) -> [String] {
        var pieces: [[UInt8]] = [[]]
        var (isQuoted, isEscaped) = (false, false)
        for byte in text.utf8 {
            if byte == separator, !isQuoted {
                pieces.append([])
                continue
            }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
            pieces[pieces.count - 1].append(byte)
        }
        return pieces.compactMap { piece in
            var piece = piece.drop { $0 == 32 || $0 == 9 }
            while piece.last == 32 || piece.last == 9 { piece.removeLast() }
            return piece.isEmpty ? nil : String(decoding: piece, as: UTF8.self)
        }
    }
}
