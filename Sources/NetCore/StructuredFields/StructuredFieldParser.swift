/// Parses a structured field (RFC 9651 section 4.2) in a single pass.
struct StructuredFieldParser {
    let bytes: [UInt8]
    var index = 0

    init(_ text: some StringProtocol) throws(StructuredFieldError) {
        bytes = Array(text.utf8)
        guard bytes.count <= StructuredField.maximumBytes else {
            throw StructuredFieldError(
                position: StructuredField.maximumBytes,
                message: "the value is longer than \(StructuredField.maximumBytes) bytes")
        }
    }

    /// Parses the whole text; spaces may surround the value.
    static func parse<Value>(
        _ text: some StringProtocol, _ read: (inout StructuredFieldParser) throws(StructuredFieldError) -> Value
    ) throws(StructuredFieldError) -> Value {
        var parser = try StructuredFieldParser(text)
        parser.skipSpaces()
        let value = try read(&parser)
        parser.skipSpaces()
        guard parser.next == nil else { throw parser.error("unexpected text after the value") }
        return value
    }

    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    func error(_ message: String) -> StructuredFieldError {
        StructuredFieldError(position: index, message: message)
    }

    /// Skips one character; returns false if the next one is different.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == character.value else { return false }
        index += 1
        return true
    }

    mutating func skipSpaces() {
        while next == 32 { index += 1 }
    }

    /// Skips optional whitespace (OWS), which may include tabs; allowed only between the members of lists and
    /// dictionaries.
    private mutating func skipBlanks() {
        while next == 32 || next == 9 { index += 1 }
    }

    mutating func list() throws(StructuredFieldError) -> StructuredField.List {
        var members: [StructuredField.Member] = []
        while next != nil {
            members.append(try member())
            if try isAtEndOfMembers() { break }
        }
        return StructuredField.List(members)
    }

    mutating func dictionary() throws(StructuredFieldError) -> StructuredField.Dictionary {
        var members = StructuredField.Dictionary()
        while next != nil {
            let key = try key()
            if skip("=") {
                members[key] = try member()
            } else {
                members[key] = .item(StructuredField.Item(.boolean(true), parameters: try parameters()))
            }
            if try isAtEndOfMembers() { break }
        }
        return members
    }

    /// Skips the comma after a member; another member must follow a comma.
    private mutating func isAtEndOfMembers() throws(StructuredFieldError) -> Bool {
        skipBlanks()
        if next == nil { return true }
        guard skip(",") else { throw error("members must be separated by commas") }
        skipBlanks()
        guard next != nil else { throw error("nothing follows the last comma") }
        return false
    }

    private mutating func member() throws(StructuredFieldError) -> StructuredField.Member {
        next == UInt8(ascii: "(") ? .innerList(try innerList()) : .item(try item())
    }

    private mutating func innerList() throws(StructuredFieldError) -> StructuredField.InnerList {
        var items: [StructuredField.Item] = []
        index += 1
        while true {
            skipSpaces()
            if skip(")") { return StructuredField.InnerList(items, parameters: try parameters()) }
            items.append(try item())
            guard next == 32 || next == UInt8(ascii: ")") else {
                throw error(
                    next == nil ? "an inner list has no closing parenthesis" : "items must be separated by a space")
            }
        }
    }

    mutating func item() throws(StructuredFieldError) -> StructuredField.Item {
        let value = try bareItem()
        return StructuredField.Item(value, parameters: try parameters())
    }

    private mutating func parameters() throws(StructuredFieldError) -> StructuredField.Parameters {
        var parameters = StructuredField.Parameters()
        while skip(";") {
            skipSpaces()
            let key = try key()
            parameters[key] = skip("=") ? try bareItem() : .boolean(true)
        }
        return parameters
    }

    private mutating func key() throws(StructuredFieldError) -> String {
        let start = index
        guard let next, StructuredFieldSyntax.beginsKey(next) else {
            throw error("a key must begin with a lowercase letter or *")
        }
        while index < bytes.count, StructuredFieldSyntax.isInKey(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }
}
