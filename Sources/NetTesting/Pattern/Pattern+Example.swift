extension Pattern {
    /// A text that the expression matches, with the first alternative of each choice and the fewest repetitions; nil if
    /// a condition in the expression excludes that text.
    var example: String? {
        var text = ""
        Self.write(syntax, into: &text)
        return matches(text) == true ? text : nil
    }

    private static func write(_ syntax: PatternSyntax, into text: inout String) {
        guard text.utf8.count < maximumSteps else { return }
        switch syntax {
        case .empty, .anchor, .lookahead: break
        case .scalar(let set): text.unicodeScalars.append(set.example)
        case .sequence(let parts): for part in parts { write(part, into: &text) }
        case .choice(let kinds): if let kind = kinds.first { write(kind, into: &text) }
        case .repeated(let inner, let minimum, _): for _ in 0..<minimum { write(inner, into: &text) }
        }
    }
}

extension ScalarSet {
    /// A lowercase letter, a digit or a capital letter, if the set contains one; otherwise another character of the
    /// set.
    fileprivate var example: Unicode.Scalar {
        let plain = Array(97...122) + Array(48...57) + Array(65...90) + Array(32...126)
        if let found = plain.lazy.compactMap({ Unicode.Scalar(UInt8($0)) }).first(where: contains) { return found }
        for case .range(let range) in items {
            if let scalar = Unicode.Scalar(range.lowerBound), contains(scalar) { return scalar }
        }
        return "\u{e9}"
    }
}
