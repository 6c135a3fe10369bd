#if Server
internal import NetCore

/// A path template that finds its parameters in a path.
struct RouteTemplate: Sendable {
    enum Piece: Sendable {
        case literal([UInt8])
        /// A parameter; `isLong` if it may contain slashes.
        case name(String, isLong: Bool)
    }

    private(set) var pieces: [Piece] = []

    init(_ template: String) {
        var rest = template[...]
        var literal: [UInt8] = []
        while let character = rest.first {
            if character == "{", let end = rest.firstIndex(of: "}") {
                var name = rest[rest.index(after: rest.startIndex)..<end]
                let isLong = name.first == "+" || name.last == "*"
                if let first = name.first, "+;?&/".contains(first) { name.removeFirst() }
                if name.last == "*" { name.removeLast() }
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = []
                pieces.append(.name(String(name), isLong: isLong))
                rest = rest[rest.index(after: end)...]
            } else {
                literal += Array(String(character).utf8)
                rest.removeFirst()
            }
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
    }

    /// The number of literal bytes: of several matching templates, the most literal one wins.
    var weight: Int {
        pieces.reduce(0) { if case .literal(let text) = $1 { $0 + text.count } else { $0 } }
    }

    var names: [String] {
        pieces.compactMap { if case .name(let name, _) = $0 { name } else { nil } }
    }

    /// The parameters' values, still percent-encoded; nil if the path doesn't match.
    func match(_ path: RequestPath, from start: Int) -> [String: String]? {
        var captures: [String: String] = [:]
        var dead: Set<Int> = []
        return match(path, start, 0, &captures, &dead) ? captures : nil
    }

    private func match(
        _ path: RequestPath, _ place: Int, _ piece: Int, _ captures: inout [String: String], _ dead: inout Set<Int>
    ) -> Bool {
        guard piece < pieces.count else { return place == path.units.count }
        let state = place * (pieces.count + 1) + piece
        guard !dead.contains(state) else { return false }
        switch pieces[piece] {
        case .literal(let text):
            if path.hasLiteral(text, at: place), match(path, place + text.count, piece + 1, &captures, &dead) {
                return true
            }
        case .name(let name, let isLong):
            var end = place
            while end < path.units.count, isLong || !path.units[end].isSlash { end += 1 }
            while end > place {
                if match(path, end, piece + 1, &captures, &dead) {
                    captures[name] = path.raw(place..<end)
                    return true
                }
                end -= 1
            }
        }
        dead.insert(state)
        return false
    }
}

/// A path as it was sent, with its escapes decoded; an escaped slash doesn't count as a slash.
struct RequestPath: Sendable {
    struct Unit: Sendable {
        var byte: UInt8
        var isSlash: Bool
        /// The unit's range in the text.
        var range: Range<Int>
    }

    private let bytes: [UInt8]
    private(set) var units: [Unit] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
        var place = 0
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "%"), place + 2 < bytes.count,
                let value = UInt8(String(decoding: bytes[(place + 1)...(place + 2)], as: UTF8.self), radix: 16)
            {
                units.append(Unit(byte: value, isSlash: false, range: place..<(place + 3)))
                place += 3
            } else {
                let isSlash = bytes[place] == UInt8(ascii: "/")
                units.append(Unit(byte: bytes[place], isSlash: isSlash, range: place..<(place + 1)))
                place += 1
            }
        }
    }

    func hasLiteral(_ text: [UInt8], at place: Int) -> Bool {
        guard place + text.count <= units.count else { return false }
        for (offset, byte) in text.enumerated() {
            let unit = units[place + offset]
            guard unit.byte == byte, byte != UInt8(ascii: "/") || unit.isSlash else { return false }
        }
        return true
    }

    func raw(_ range: Range<Int>) -> String {
        String(
            decoding: bytes[units[range.lowerBound].range.lowerBound..<units[range.upperBound - 1].range.upperBound],
            as: UTF8.self)
    }
}
#endif
