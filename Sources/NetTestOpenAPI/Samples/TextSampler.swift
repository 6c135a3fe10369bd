#if Server
internal import NetCore
internal import NetTesting

/// Generates texts of a format, a length or a pattern.
struct TextSampler {
    let random: SampleRandom

    private static let words = [
        "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "juniper",
    ]

    func text(_ schema: Schema) -> String {
        if let pattern = schema.pattern, let text = matching(pattern, schema) { return text }
        if let format = schema.format, let text = formatted(format) { return text }
        if schema.contentEncoding == "base64" { return "c2FtcGxl" }
        return sized(random.element(of: Self.words) ?? "", schema)
    }

    private func formatted(_ format: String) -> String? {
        func two(_ range: ClosedRange<Int>) -> String {
            let number = random.number(range)
            return number < 10 ? "0\(number)" : "\(number)"
        }
        func date() -> String { "20\(two(10...39))-\(two(1...12))-\(two(1...28))" }
        func time() -> String { "\(two(0...23)):\(two(0...59)):\(two(0...59))Z" }
        switch format {
        case "date-time": return "\(date())T\(time())"
        case "date": return date()
        case "time": return time()
        case "duration": return "PT\(random.number(1...59))M"
        case "uuid":
            let groups = [8, 4, 4, 4, 12].map { count in
                (0..<count).map { _ in String(random.below(16), radix: 16) }.joined()
            }
            return groups.joined(separator: "-")
        case "byte", "base64": return "c2FtcGxl"
        case "ipv4": return "192.0.2.\(random.number(1...254))"
        case "ipv6": return "2001:db8::\(String(random.number(1...65_535), radix: 16))"
        case "email", "idn-email": return "\(random.element(of: Self.words) ?? "")@example.com"
        case "hostname", "idn-hostname": return "\(random.element(of: Self.words) ?? "").example.com"
        case "uri", "url", "uri-reference", "iri": return "https://example.com/\(random.element(of: Self.words) ?? "")"
        default: return nil
        }
    }

    /// The text repeated or truncated to the schema's length.
    private func sized(_ text: String, _ schema: Schema) -> String {
        var result = text
        // The schema's minimum may be absurd; a sample is never huge.
        let least = min(schema.minLength ?? 0, 100_000)
        while result.unicodeScalars.count < least { result += text }
        if let most = schema.maxLength, result.unicodeScalars.count > max(most, least) {
            result = String(result.prefix(most))
        }
        return result
    }

    private func matching(_ pattern: Pattern, _ schema: Schema) -> String? {
        for attempt in 0..<20 {
            var text = ""
            // Later attempts repeat more, for patterns combined with a minimum length.
            write(pattern.syntax, extra: attempt, into: &text)
            let length = text.unicodeScalars.count
            if length >= schema.minLength ?? 0, length <= schema.maxLength ?? .max, pattern.matches(text) == true {
                return text
            }
        }
        return nil
    }

    private func write(_ syntax: PatternSyntax, extra: Int, into text: inout String) {
        guard text.utf8.count < 100_000 else { return }
        switch syntax {
        case .empty, .anchor, .lookahead: return
        case .scalar(let set): text.unicodeScalars.append(scalar(in: set))
        case .sequence(let parts): for part in parts { write(part, extra: extra, into: &text) }
        case .choice(let kinds): if let kind = random.element(of: kinds) { write(kind, extra: extra, into: &text) }
        case .repeated(let inner, let minimum, let maximum):
            let count = random.number(minimum...max(minimum, min(maximum ?? .max, minimum + 2 + extra * 2)))
            for _ in 0..<count { write(inner, extra: extra, into: &text) }
        }
    }

    /// A character of a set; an ASCII letter or digit if the set contains one.
    private func scalar(in set: ScalarSet) -> Unicode.Scalar {
        let plain = (Array(97...122) + Array(48...57) + Array(65...90)).compactMap { Unicode.Scalar(UInt8($0)) }
        if let found = random.element(of: plain.filter(set.contains)) { return found }
        let printable = (32...126).compactMap { Unicode.Scalar(UInt8($0)) }
        if let found = random.element(of: printable.filter(set.contains)) { return found }
        for case .range(let range) in set.items {
            if let scalar = Unicode.Scalar(range.lowerBound), set.contains(scalar) { return scalar }
        }
        return "é"
    }
}
#endif
