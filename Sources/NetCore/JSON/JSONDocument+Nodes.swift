extension JSONDocument {
    /// The document as nodes that know their places; members keep their order, and those whose name repeats.
    ///
    /// - Throws: ``UnreadableJSON`` for text that isn't valid UTF-8, and for a number above the largest `Double`.
    package func node() throws(UnreadableJSON) -> JSONNode {
        var reader = JSONNodeReader(document: self)
        return try reader.node(.document)
    }

    /// The value of a member of the document, found by its names from the outside in; nil if there is none.
    ///
    /// - Throws: ``UnreadableJSON`` as ``node()`` does, for what is in that value.
    package func node(at names: [String]) throws(UnreadableJSON) -> JSONNode? {
        guard let (index, path) = try find(names) else { return nil }
        var reader = JSONNodeReader(document: self, index: index)
        return try reader.node(path)
    }

    /// The elements of an array, which are made one after another; nil if there is no such member, or it's no array.
    package func elements(at names: [String]) throws(UnreadableJSON) -> JSONElements? {
        guard let (index, path) = try find(names), entries[index].kind == .array else { return nil }
        return JSONElements(document: self, index: index, path: path)
    }

    private func find(_ names: [String]) throws(UnreadableJSON) -> (index: Int, path: JSONNode.Path)? {
        var (index, path) = (0, JSONNode.Path.document)
        for name in names {
            guard entries[index].kind == .object else { return nil }
            var (member, found) = (index + 1, nil as Int?)
            for _ in 0..<entries[index].count where found == nil {
                if try string(at: member) == name { found = member + 1 }
                member = next(after: member + 1)
            }
            guard let found else { return nil }
            (index, path) = (found, .member(name, of: path))
        }
        return (index, path)
    }

    /// The document as a value. Of members of one name the first counts.
    ///
    /// - Throws: ``UnreadableJSON`` for text that isn't valid, `DecodingError` for a number that no type holds.
    package func value() throws -> JSONValue { try value(at: 0) }
}

/// The elements of an array of a document, one after another: only one is in memory as a node.
///
/// Here, because they are made of the document's own index, which no other module sees.
package struct JSONElements {
    /// The number of elements.
    package let count: Int
    private let path: JSONNode.Path
    private var reader: JSONNodeReader
    private var number = 0

    init(document: JSONDocument, index: Int, path: JSONNode.Path) {
        count = Int(document.entries[index].count)
        self.path = path
        reader = JSONNodeReader(document: document, index: index + 1)
    }

    /// The next element; nil after the last one.
    ///
    /// - Throws: ``UnreadableJSON`` as ``JSONDocument/node()`` does, for what is in that element.
    package mutating func next() throws(UnreadableJSON) -> JSONNode? {
        guard number < count else { return nil }
        defer { number += 1 }
        return try reader.node(.element(number, of: path))
    }
}

/// Builds nodes in the order of the text, so that lines are counted once.
private struct JSONNodeReader {
    let document: JSONDocument
    private var index: Int
    private var line = 1
    private var lineStart: Int
    private var offset = 0

    init(document: JSONDocument, index: Int = 0) {
        self.document = document
        self.index = index
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
