/// A parser of RFC 8259 JSON into a tree with positions.
///
/// It is strict: no comments, no trailing commas, no bare words. Numbers keep their text. A duplicate key of an object
/// is a warning, and its last value is used. The parser has its own stack, so depth costs memory, not call frames.
package struct JSONReader {
    /// An array or object that isn't closed yet.
    private struct Frame {
        let isObject: Bool
        let position: SourcePosition
        var elements: [Node] = []
        var members = MemberList()
        var key = ""
        var keyPosition: SourcePosition

        var node: Node {
            Node(isObject ? .object(members.members) : .array(elements), at: position)
        }
    }

    let bytes: UnsafeBufferPointer<UInt8>
    var offset = 0
    var cursor: PositionCursor
    var warnings: [Diagnostic] = []
    private var frames: [Frame] = []

    private init(bytes: UnsafeBufferPointer<UInt8>, name: String) {
        self.bytes = bytes
        self.cursor = PositionCursor(file: name)
    }

    /// Reads a whole document.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8 text, with or without a byte order mark.
    ///   - name: The file's name in positions.
    /// - Throws: The first error, with its position.
    package static func read(_ bytes: [UInt8], name: String) throws(Diagnostic) -> ParsedText {
        try TextEncodingCheck.validate(bytes, name: name)
        let result = bytes.withUnsafeBufferPointer { buffer -> Result<ParsedText, Diagnostic> in
            var reader = JSONReader(bytes: buffer, name: name)
            reader.offset = TextEncodingCheck.byteOrderMarkLength(bytes)
            do throws(Diagnostic) {
                let root = try reader.readRoot()
                return .success(ParsedText(root: root, warnings: reader.warnings))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private mutating func readRoot() throws(Diagnostic) -> Node {
        skipBlank()
        guard offset < bytes.count else { throw failure("the document is empty") }
        while true {
            guard let value = try readValueOrOpen() else { continue }
            if let root = try attach(value) { return root }
        }
    }

    /// Parses a scalar or an empty container and returns it; opens any other container and returns nil.
    private mutating func readValueOrOpen() throws(Diagnostic) -> Node? {
        skipBlank()
        switch peek() {
        case UInt8(ascii: "{"): return try open(isObject: true)
        case UInt8(ascii: "["): return try open(isObject: false)
        case UInt8(ascii: "\""):
            let position = here()
            return Node(.scalar(try readString(), isQuoted: true), at: position)
        default: return try readBareScalar()
        }
    }

    private mutating func open(isObject: Bool) throws(Diagnostic) -> Node? {
        let frame = Frame(isObject: isObject, position: here(), keyPosition: here())
        guard frames.count < ReadingLimits.maximumDepth else {
            throw failure("arrays and objects nest deeper than \(ReadingLimits.maximumDepth) levels")
        }
        offset += 1
        skipBlank()
        if peek() == UInt8(ascii: isObject ? "}" : "]") {
            offset += 1
            return frame.node
        }
        frames.append(frame)
        if isObject { try readKey() }
        return nil
    }

    private mutating func readKey() throws(Diagnostic) {
        skipBlank()
        let position = here()
        guard peek() == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes") }
        let key = try readString()
        skipBlank()
        guard peek() == UInt8(ascii: ":") else { throw unexpected("':' after the key '\(key)'") }
        offset += 1
        frames[frames.count - 1].key = key
        frames[frames.count - 1].keyPosition = position
    }

    /// Adds a value to its container and closes the containers that end after it; returns the root if the document is
    /// complete.
    private mutating func attach(_ value: Node) throws(Diagnostic) -> Node? {
        var value = value
        while !frames.isEmpty {
            add(value)
            skipBlank()
            let isObject = frames[frames.count - 1].isObject
            switch peek() {
            case UInt8(ascii: ","):
                offset += 1
                try readAfterComma(isObject: isObject)
                return nil
            case UInt8(ascii: isObject ? "}" : "]"):
                offset += 1
                value = frames.removeLast().node
            default:
                throw unexpected(isObject ? "',' or '}' after a member" : "',' or ']' after an element")
            }
        }
        skipBlank()
        guard offset == bytes.count else { throw unexpected("nothing more after the end of the document") }
        return value
    }

    private mutating func readAfterComma(isObject: Bool) throws(Diagnostic) {
        skipBlank()
        if peek() == UInt8(ascii: isObject ? "}" : "]") {
            throw failure("JSON allows no comma before the closing bracket; remove it")
        }
        if isObject { try readKey() }
    }

    private mutating func add(_ value: Node) {
        let top = frames.count - 1
        guard frames[top].isObject else { return frames[top].elements.append(value) }
        let member = Node.Member(key: frames[top].key, keyPosition: frames[top].keyPosition, value: value)
        if let replaced = frames[top].members.set(member) {
            warnings.append(.duplicateKey(member, replacing: replaced))
        }
    }

    /// Describes the container that is still open at the end of the text.
    func openContainer() -> String? {
        frames.last.map { frame in
            let noun = frame.isObject ? "object" : "array"
            return "the \(noun) opened at line \(frame.position.line), column \(frame.position.column) is not closed"
        }
    }
}
