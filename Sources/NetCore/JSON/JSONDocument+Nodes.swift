extension JSONDocument {
    /// The document as nodes that know their places; members keep their order, and those whose name repeats.
    ///
    /// - Throws: ``UnreadableJSON`` for text that isn't valid UTF-8, and for a number above the largest `Double`.
    package func node() throws(UnreadableJSON) -> JSONNode {
        var reader = JSONNodeReader(document: self)
        return try reader.node(.document)
    }

    /// The document as a value. Of members of one name the first counts.
    ///
    /// - Throws: ``UnreadableJSON`` for text that isn't valid, `DecodingError` for a number that no type holds.
    package func value() throws -> JSONValue { try value(at: 0) }
}

/// Builds nodes in the order of the text, so that lines are counted once.
private struct JSONNodeReader {
    let document: JSONDocument
    private var index = 0
    private var line = 1
    private var lineStart: Int
    private var offset = 0

    init(document: JSONDocument) {
        self.document = document
        lineStart = -document.markLength
    }

    private mutating func position(_ entry: JSONEntry) -> JSONNode.Position {
        let start = Int(entry.offset) - (entry.kind == .string ? 1 : 0)
        document.bytes.withUnsafeBytes { bytes in
            while offset < start {
                offset += 1
                guard bytes[offset - 1] == 0x0a else { continue }
                line += 1
                lineStart = offset
            }
        }
        return JSONNode.Position(line: line, column: start - lineStart + 1)
    }

    mutating func node(_ path: JSONNode.Path) throws(UnreadableJSON) -> JSONNode {
        let entry = document.entries[index]
        let position = position(entry)
        let own = index
        index += 1
        let kind: JSONNode.Kind
        switch entry.kind {
        case .null: kind = .null
        case .true: kind = .bool(true)
        case .false: kind = .bool(false)
        case .string: kind = .string(try document.string(at: own))
        case .integer, .real:
            guard let number = document.nearest(at: own) else {
                let offset = Int(entry.offset) + document.markLength
                let place = JSONNode(kind: .null, position: position, path: path).place
                throw UnreadableJSON(
                    .malformed, "this is no JSON value that can be read: the number is too large", at: offset,
                    place: place)
            }
            kind = .number(number)
        case .array:
            var elements: [JSONNode] = []
            elements.reserveCapacity(Int(entry.count))
            for place in 0..<Int(entry.count) { elements.append(try node(.element(place, of: path))) }
            kind = .array(elements)
        case .object: kind = .object(try members(entry, path))
        }
        return JSONNode(kind: kind, position: position, path: path)
    }

    private mutating func members(
        _ entry: JSONEntry, _ path: JSONNode.Path
    ) throws(UnreadableJSON) -> [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        members.reserveCapacity(Int(entry.count))
        for _ in 0..<entry.count {
            let position = position(document.entries[index])
            let name = try document.string(at: index)
            index += 1
            members.append(.init(name: name, value: try node(.member(name, of: path)), position: position))
        }
        return members
    }
}
