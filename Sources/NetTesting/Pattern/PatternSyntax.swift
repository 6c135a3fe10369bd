/// A regular expression as a tree.
package indirect enum PatternSyntax: Sendable {
    /// A position in the text, without a character.
    package enum Anchor: Sendable {
        case start, end, wordBoundary, noWordBoundary
    }

    case empty
    case scalar(ScalarSet)
    case sequence([PatternSyntax])
    case choice([PatternSyntax])
    /// From `minimum` to `maximum` repetitions; nil for no limit.
    case repeated(PatternSyntax, minimum: Int, maximum: Int?)
    case anchor(Anchor)
    /// The text that follows must match or, if negated, must not match.
    case lookahead(PatternSyntax, isNegated: Bool)
}

/// A set of characters in a regular expression.
package struct ScalarSet: Sendable {
    package enum Item: Sendable {
        case range(ClosedRange<UInt32>)
        /// A Unicode general category, by its short name: `L`, `Lu`, `Nd`.
        case category(String, isNegated: Bool)
        /// All characters outside these ranges.
        case complement([ClosedRange<UInt32>])
    }

    package var items: [Item]
    package var isNegated = false

    package func contains(_ scalar: Unicode.Scalar) -> Bool {
        let isFound = items.contains { item in
            switch item {
            case .range(let range): range.contains(scalar.value)
            case .category(let name, let isNegated): Self.category(of: scalar).hasPrefix(name) != isNegated
            case .complement(let ranges): !ranges.contains { $0.contains(scalar.value) }
            }
        }
        return isFound != isNegated
    }

    static let digits: [ClosedRange<UInt32>] = [48...57]
    static let word: [ClosedRange<UInt32>] = [48...57, 65...90, 95...95, 97...122]
    static let space: [ClosedRange<UInt32>] = [
        9...13, 32...32, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ]
    /// Every character except line terminators.
    static let any = ScalarSet(items: [.range(10...10), .range(13...13), .range(0x2028...0x2029)], isNegated: true)

    static func isWord(_ scalar: Unicode.Scalar) -> Bool { word.contains { $0.contains(scalar.value) } }

    private static func category(of scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        case .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }
}
