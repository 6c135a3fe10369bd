/// Parses an expression.
///
/// ```text
/// filter      = *group                         ; "and", and looser than "|" as in mitmproxy
/// group       = conjunction *( "|" conjunction )
/// conjunction = negation *( "&" negation )
/// negation    = *"!" ( "(" filter ")" / term )  ; at least one group within parentheses
/// term        = "~" name [ value ] / value
/// ```
struct FilterParser {
    /// The maximum length in Unicode scalars.
    static let maximumLength = 4096
    /// The maximum depth, far below the limits of a thread's stack and of SQLite's parser.
    static let maximumDepth = 20

    private var scanner: FilterScanner

    init(_ text: String) throws(ActivityFilterError) {
        scanner = FilterScanner(text)
        guard scanner.count <= Self.maximumLength else {
            throw scanner.error(
                at: Self.maximumLength, found: "\(scanner.count) characters",
                expected: "at most \(Self.maximumLength)")
        }
    }

    mutating func parse() throws(ActivityFilterError) -> FilterNode {
        let node = FilterNode.all(try groups(depth: 0))
        guard scanner.isAtEnd else { throw scanner.unexpected("\"(\" before it, or nothing") }
        return node
    }

    /// Parses everything up to the end or the closing parenthesis.
    private mutating func groups(depth: Int) throws(ActivityFilterError) -> [FilterNode] {
        var nodes: [FilterNode] = []
        scanner.skipSpace()
        while !scanner.isAtEnd, scanner.next != ")" {
            nodes.append(try group(depth: depth))
            scanner.skipSpace()
        }
        return nodes
    }

    private mutating func group(depth: Int) throws(ActivityFilterError) -> FilterNode {
        var nodes = [try conjunction(depth: depth)]
        while scanner.skip("|") { nodes.append(try conjunction(depth: depth)) }
        return .any(nodes)
    }

    private mutating func conjunction(depth: Int) throws(ActivityFilterError) -> FilterNode {
        var nodes = [try negation(depth: depth)]
        while scanner.skip("&") { nodes.append(try negation(depth: depth)) }
        return .all(nodes)
    }

    private mutating func negation(depth: Int) throws(ActivityFilterError) -> FilterNode {
        var isNegated = false
        while scanner.skip("!") { isNegated.toggle() }
        let node = try operand(depth: depth)
        return isNegated ? node.negated : node
    }

    private mutating func operand(depth: Int) throws(ActivityFilterError) -> FilterNode {
        scanner.skipSpace()
        switch scanner.next {
        case "(": return try parenthesized(depth: depth)
        case "~": return try named()
        case nil, ")", "&", "|": throw scanner.unexpected("a term, for example ~c 5xx or a part of a URL")
        default: return .term(.text(.word, try scanner.value().pattern))
        }
    }

    private mutating func parenthesized(depth: Int) throws(ActivityFilterError) -> FilterNode {
        let opening = scanner.column
        guard depth < Self.maximumDepth else {
            throw scanner.unexpected("parentheses at most \(Self.maximumDepth) deep")
        }
        _ = scanner.skip("(")
        let nodes = try groups(depth: depth + 1)
        guard !nodes.isEmpty || scanner.isAtEnd else { throw scanner.unexpected("a term after \"(\"") }
        guard scanner.skip(")") else { throw scanner.unexpected("\")\" for \"(\" in column \(opening)") }
        return .all(nodes)
    }

    private mutating func named() throws(ActivityFilterError) -> FilterNode {
        let start = scanner.offset
        let name = scanner.name()
        guard let term = FilterTermName(name) else {
            let names = FilterTermName.alternatives(to: name)
            throw scanner.error(at: start, found: "\"~\(name)\"", expected: "a term: \(names)")
        }
        guard let expected = term.value else {
            guard scanner.isAtBoundary else { throw scanner.unexpected("a space after ~\(name)") }
            if case .flag(let flag) = term { return .term(.flag(flag)) }
            return .every
        }
        guard scanner.isAtSpace else { throw scanner.unexpected("a space and \(expected) after ~\(name)") }
        scanner.skipSpace()
        guard scanner.isAtValue else { throw scanner.unexpected("\(expected) after ~\(name)") }
        let offset = scanner.offset
        let value = try scanner.value()
        guard let read = FilterValueReader.term(term, value) else {
            throw scanner.error(at: offset, found: "\"\(FilterScanner.shortened(value.text))\"", expected: expected)
        }
        return .term(read)
    }
}
