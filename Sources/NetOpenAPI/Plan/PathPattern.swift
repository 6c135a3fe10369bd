/// A path template: literal text and `{names}`, anywhere in a segment.
struct PathPattern {
    enum Piece: Hashable {
        case literal(String)
        case name(String)
    }

    private(set) var pieces: [Piece] = []
    /// The query items that some documents write into the path.
    private(set) var query: [(name: String, value: String?)] = []
    private(set) var hasFragment = false

    init(_ text: String) {
        var path = Substring(text)
        if let mark = path.firstIndex(of: "#") {
            hasFragment = true
            path = path[..<mark]
        }
        if let mark = path.firstIndex(of: "?") {
            query = path[path.index(after: mark)...].split(separator: "&").map { item in
                let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
            }.filter { $0.value?.contains("{") != true }
            path = path[..<mark]
        }
        readPieces(path)
    }

    private mutating func readPieces(_ path: Substring) {
        var rest = path
        var literal = ""
        while let character = rest.first {
            if character == "{", let end = rest.firstIndex(of: "}") {
                let name = rest[rest.index(after: rest.startIndex)..<end]
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = ""
                pieces.append(.name(Self.bare(name)))
                rest = rest[rest.index(after: end)...]
            } else {
                literal.append(character)
                rest.removeFirst()
            }
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
    }

    /// Returns a name without the operators of URI templates (RFC 6570) that some documents use: `{+name}`, `{name*}`.
    private static func bare(_ name: Substring) -> String {
        var name = name
        if let first = name.first, "+;?&/".contains(first) { name.removeFirst() }
        if name.last == "*" { name.removeLast() }
        return String(name)
    }

    /// Returns an identifier made from the method and path: `GET /pets/{id}` becomes `get pets by id`.
    func identifier(method: String) -> String {
        var words = [method.lowercased()]
        for piece in pieces {
            switch piece {
            case .literal(let text): words += text.split(separator: "/").map(String.init)
            case .name(let name): words += ["by", name]
            }
        }
        return words.count == 1 ? "\(words[0]) root" : words.joined(separator: " ")
    }
}
