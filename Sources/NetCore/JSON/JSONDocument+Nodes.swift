extension JSONDocument {
    /// Returns the document as nodes with their positions. Members keep their order and may repeat a name.
    ///
    /// - Throws: ``UnreadableJSON`` for text that isn't valid UTF-8, and for a number above the largest `Double`.
    package func node() throws(UnreadableJSON) -> JSONNode {
        var reader = JSONNodeReader(document: self)
        return try reader.node(.document)
    }

    /// Returns the value of a member, found by its path of names from the outermost; nil if it doesn't exist.
    ///
    /// - Throws: ``UnreadableJSON`` as ``node()`` does, but only for problems within that value.
    package func node(at names: [String]) throws(UnreadableJSON) -> JSONNode? {
        guard let (index, path) = try find(names) else { return nil }
        var reader = JSONNodeReader(document: self, index: index)
        return try reader.node(path)
    }

    /// Returns the elements of an array, created one by one; nil if the member doesn't exist or isn't an array.
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

    /// Returns the document as a value. If several members have the same name, the first one counts.
    ///
    /// - Throws: ``UnreadableJSON`` for invalid text, `DecodingError` for a number that no type can hold.
    package func value() throws -> JSONValue { try value(at: 0) }
}

/// The elements of an array of a document, one by one: only one is in memory as a node.
///
/// Declared here because it reads the document's index, which other modules can't access.
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

    /// Returns the next element; nil after the last one.
    ///
    /// - Throws: ``UnreadableJSON`` as ``JSONDocument/node()`` does, but only for problems within that element.
    package mutating func next() throws(UnreadableJSON) -> JSONNode? {
        guard number < count else { return nil }
        defer { number += 1 }
        return try reader.node(.element(number, of: path))
    }
}

/// Builds nodes in the order of the text, so that lines are counted only once.
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
                    .malformed, "this JSON value cannot be read: the number is too large", at: offset,
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
