/// Parses a regular expression in ECMA-262 syntax (JSON Schema 2020-12, 6.4). Features that need memory of earlier
/// matches (back-references, lookbehind) aren't supported.
struct PatternParser {
    private struct Unreadable: Error {}

    private let scalars: [Unicode.Scalar]
    private var place = 0
    private var depth = 0

    private init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// Returns the syntax tree; nil for an unsupported or invalid expression.
    static func parse(_ text: String) -> PatternSyntax? {
        var parser = PatternParser(text)
        guard parser.scalars.count <= 10_000, let syntax = try? parser.choice(), parser.place == parser.scalars.count
        else { return nil }
        return syntax
    }

    private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private mutating func skip(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard scalars[place...].starts(with: wanted) else { return false }
        place += wanted.count
        return true
    }

    private mutating func choice() throws -> PatternSyntax {
        depth += 1
        defer { depth -= 1 }
        guard depth < 100 else { throw Unreadable() }
        var kinds = [try sequence()]
        while skip("|") { kinds.append(try sequence()) }
        return kinds.count == 1 ? kinds[0] : .choice(kinds)
    }

    private mutating func sequence() throws -> PatternSyntax {
        var parts: [PatternSyntax] = []
        while let scalar = next, scalar != "|", scalar != ")" { parts.append(try quantified(try atom())) }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func quantified(_ atom: PatternSyntax) throws -> PatternSyntax {
        var result = atom
        while let scalar = next {
            let start = place
            switch scalar {
            case "*": (result, place) = (.repeated(result, minimum: 0, maximum: nil), place + 1)
            case "+": (result, place) = (.repeated(result, minimum: 1, maximum: nil), place + 1)
            case "?": (result, place) = (.repeated(result, minimum: 0, maximum: 1), place + 1)
            case "{":
                guard let bounds = bounds() else {
                    place = start
                    return result
                }
                result = .repeated(result, minimum: bounds.minimum, maximum: bounds.maximum)
            default: return result
            }
            // Lazy and greedy quantifiers give the same result.
            _ = skip("?")
        }
        return result
    }

    private mutating func bounds() -> (minimum: Int, maximum: Int?)? {
        guard skip("{") else { return nil }
        let minimum = number()
        guard skip(",") else {
            guard let minimum, skip("}") else { return nil }
            return (minimum, minimum)
        }
        let maximum = number()
        guard minimum != nil || maximum != nil, skip("}"), maximum.map({ $0 >= minimum ?? 0 }) ?? true else {
            return nil
        }
        return (minimum ?? 0, maximum)
    }

    private mutating func number() -> Int? {
        let start = place
        while let scalar = next, ("0"..."9").contains(scalar) { place += 1 }
        guard place > start, place - start < 9 else { return nil }
        return Int(String(String.UnicodeScalarView(scalars[start..<place])))
    }

    private mutating func atom() throws -> PatternSyntax {
        guard let scalar = next else { throw Unreadable() }
        switch scalar {
        case "(": return try group()
        case "[": return .scalar(try PatternClassReader.read(scalars, &place).orThrow(Unreadable()))
        case "\\": return try escape()
        case "^":
            place += 1
            return .anchor(.start)
        case "$":
            place += 1
            return .anchor(.end)
        case ".":
            place += 1
            return .scalar(.any)
        case "*", "+", "?": throw Unreadable()
        default:
            place += 1
            return .scalar(ScalarSet(items: [.range(scalar.value...scalar.value)]))
        }
    }

    private mutating func group() throws -> PatternSyntax {
        place += 1
        var look: Bool?
        if skip("?") {
            if skip("=") {
                look = false
            } else if skip("!") {
                look = true
            } else if skip("<") {
                guard next != "=", next != "!" else { throw Unreadable() }
                while let scalar = next, scalar != ">" { place += scalar == ")" ? scalars.count : 1 }
                guard skip(">") else { throw Unreadable() }
            } else if !skip(":") {
                throw Unreadable()
            }
        }
        let inner = try choice()
        guard skip(")") else { throw Unreadable() }
        return look.map { .lookahead(inner, isNegated: $0) } ?? inner
    }

    private mutating func escape() throws -> PatternSyntax {
        guard place + 1 < scalars.count else { throw Unreadable() }
        switch scalars[place + 1] {
        case "b":
            place += 2
            return .anchor(.wordBoundary)
        case "B":
            place += 2
            return .anchor(.noWordBoundary)
        case "A":
            place += 2
            return .anchor(.start)
        case "z", "Z":
            place += 2
            return .anchor(.end)
        case "1"..."9", "k": throw Unreadable()
        default:
            let item = try PatternClassReader.escape(scalars, &place).orThrow(Unreadable())
            return .scalar(ScalarSet(items: [item]))
        }
    }
}

extension Optional {
    fileprivate func orThrow(_ error: any Error) throws -> Wrapped {
        guard let self else { throw error }
        return self
    }
}
