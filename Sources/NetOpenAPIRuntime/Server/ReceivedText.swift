internal import NetCore

/// A received value whose structure depends on the type that is decoded: a text, a list of texts, or an object.
struct ReceivedText: Sendable {
    /// The texts of a list; the only one of a scalar.
    var texts: [String]
    /// The members of an object.
    var members: [(name: String, value: ReceivedText)] = []
    /// The text of a scalar before it was split into a list; nil if `texts` is the original.
    var whole: String?

    init(_ texts: [String]) {
        self.texts = texts
    }

    var scalar: String? { whole ?? texts.first }

    /// The same value without its own text; absent if there are no members either.
    var onlyMembers: ReceivedText {
        var copy = self
        copy.texts = []
        copy.isAbsent = true
        return copy
    }

    /// True if only members of other values are present: then the value is nil, unless the decoded object has some of
    /// them.
    var isAbsent = false

    func member(_ name: String) -> ReceivedText? { members.first { $0.name == name }?.value }

    /// Returns a value without escapes, in the style `simple`.
    static func plain(_ text: String, explode: Bool) -> ReceivedText {
        split(text, ",", explode: explode) { $0.trimmed }
    }

    /// Returns a percent-encoded value in one of the styles of parameters.
    static func escaped(_ text: String, name: String, style: ParameterStyle, explode: Bool) -> ReceivedText {
        var text = text
        var separator = ","
        switch style {
        case .label:
            if text.hasPrefix(".") { text.removeFirst() }
            if explode { separator = "." }
        case .matrix:
            if text.hasPrefix(";") { text.removeFirst() }
            if explode {
                separator = ";"
                let own = text.split(separator: ";").filter { $0.hasPrefix(name + "=") }
                if !own.isEmpty { text = own.map { $0.dropFirst(name.count + 1) }.joined(separator: ";") }
            } else if text.hasPrefix(name + "=") {
                text.removeFirst(name.count + 1)
            }
        case .spaceDelimited:
            separator = "%20"
            text = text.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%20")
        case .pipeDelimited:
            separator = "|"
            text = text.split(separator: "%7C", omittingEmptySubsequences: false).joined(separator: "|")
        case .simple, .form, .deepObject: break
        }
        return split(text, separator, explode: explode) { PercentEncoding.decode($0, plusIsSpace: style == .form) }
    }

    private static func split(
        _ text: String, _ separator: String, explode: Bool, _ decode: (String) -> String
    ) -> ReceivedText {
        let parts =
            text.isEmpty ? [] : text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
        var result = ReceivedText(parts.map(decode))
        result.whole = decode(text)
        if explode {
            result.members = parts.compactMap { part in
                guard let mark = part.firstIndex(of: "=") else { return nil }
                return (decode(String(part[..<mark])), ReceivedText([decode(String(part[part.index(after: mark)...]))]))
            }
        } else if parts.count.isMultiple(of: 2) {
            result.members = stride(from: 0, to: parts.count, by: 2).map {
                (decode(parts[$0]), ReceivedText([decode(parts[$0 + 1])]))
            }
        }
        return result
    }

    /// Returns an object from names such as `filter[town][]`; a name that repeats is a list.
    static func nested(_ pairs: [(name: String, value: String)]) -> ReceivedText {
        var result = ReceivedText([])
        for (name, value) in pairs {
            let head = name.prefix { $0 != "[" }
            let keys = name.dropFirst(head.count).split(separator: "]").prefix(32).map { $0.dropFirst() }
            result.insert(value, at: ([head] + keys).map(String.init)[...])
        }
        return result
    }

    private mutating func insert(_ value: String, at path: ArraySlice<String>) {
        guard let key = path.first, !(key.isEmpty && path.count == 1) else {
            texts.append(value)
            return
        }
        let place = members.firstIndex { $0.name == key } ?? members.count
        if place == members.count { members.append((key, ReceivedText([]))) }
        members[place].value.insert(value, at: path.dropFirst())
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
