internal import NetCore

/// A path template of a document, which finds its parameters in a path.
struct ServerPath: Sendable {
    private enum Piece: Sendable {
        case literal(String)
        case parameter(String)
    }

    /// The pieces of each segment.
    private let segments: [[Piece]]
    /// The number of literal characters.
    let weight: Int

    init(_ template: String) {
        let path = template.prefix { $0 != "?" && $0 != "#" }
        segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { Self.pieces($0) }
        weight = segments.joined().reduce(0) { if case .literal(let text) = $1 { $0 + text.count } else { $0 } }
    }

    private static func pieces(_ segment: Substring) -> [Piece] {
        var pieces: [Piece] = []
        var rest = segment
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            if start > rest.startIndex { pieces.append(.literal(String(rest[..<start]))) }
            let name = rest[rest.index(after: start)..<end].filter { !"+;?&/*".contains($0) }
            pieces.append(.parameter(name))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { pieces.append(.literal(String(rest))) }
        return pieces
    }

    /// Returns the parameters, still percent-encoded; nil for another path.
    func match(_ path: Substring) -> [String: String]? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard parts.count == segments.count else { return nil }
        var captures: [String: String] = [:]
        for (part, pieces) in zip(parts, segments) {
            guard Self.match(part, pieces[...], &captures) else { return nil }
        }
        return captures
    }

    private static func match(
        _ text: Substring, _ pieces: ArraySlice<Piece>, _ captures: inout [String: String]
    ) -> Bool {
        guard let piece = pieces.first else { return text.isEmpty }
        switch piece {
        case .literal(let literal):
            if text.hasPrefix(literal) { return match(text.dropFirst(literal.count), pieces.dropFirst(), &captures) }
            // Escapes in a literal are another spelling of it.
            return pieces.count == 1 && PercentEncoding.decode(text) == literal
        case .parameter(let name):
            guard case .literal(let next)? = pieces.dropFirst().first else {
                guard pieces.count == 1, !text.isEmpty else { return false }
                captures[name] = String(text)
                return true
            }
            // The shortest value that lets the rest match.
            var from = text.startIndex
            while from < text.endIndex, let range = text[from...].firstRange(of: next) {
                if range.lowerBound > text.startIndex, match(text[range.lowerBound...], pieces.dropFirst(), &captures) {
                    captures[name] = String(text[..<range.lowerBound])
                    return true
                }
                from = text.index(after: range.lowerBound)
            }
            return false
        }
    }
}
