/// Finds the values of sensitive elements and attributes in XML (XML 1.0, fifth edition) and HTML, which may be
/// truncated, and secrets in attribute URLs and in JSON text. Names are compared without their prefix. Everything
/// else stays byte for byte.
struct XMLRedaction {
    private let bytes: [UInt8]
    private let policy: RedactionPolicy
    private var edits: [BodyEdit] = []
    private var index = 0
    /// The nesting depth inside a sensitive element; 0 outside.
    private var hiddenDepth = 0
    /// True before the text of an element that hides only texts, not the elements inside it.
    private var hidesNextText = false

    /// Returns true if a text starts like XML.
    static func mayBeXML(_ text: [UInt8]) -> Bool {
        let start = text.drop { $0 <= 32 || $0 >= 128 }
        return isMarkup(start)
    }

    /// Returns true if bytes start like a tag, a comment or a declaration; any other `<` is text.
    private static func isMarkup(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: "<"), let next = bytes.dropFirst().first else { return false }
        return (97...122).contains(next | 0x20) || next >= 128 || "_:/!?".utf8.contains(next)
    }

    static func edits(in bytes: [UInt8], policy: RedactionPolicy) -> [BodyEdit] {
        var redaction = XMLRedaction(bytes: bytes, policy: policy)
        redaction.run()
        return redaction.edits
    }

    private init(bytes: [UInt8], policy: RedactionPolicy) {
        self.bytes = bytes
        self.policy = policy
    }

    private mutating func run() {
        while index < bytes.count {
            if !Self.isMarkup(bytes[index...]) {
                var end = index + 1
                while end < bytes.count, !Self.isMarkup(bytes[end...]) { end += 1 }
                text(until: end)
            } else if starts("<!--") {
                index = place(of: "-->", after: true)
            } else if starts("<![CDATA[") {
                index += 9
                text(until: place(of: "]]>"))
                index = min(index + 3, bytes.count)
            } else if starts("<?") || starts("<!") {
                index = place(of: ">", after: true)
            } else if starts("</") {
                hidesNextText = false
                hiddenDepth = max(0, hiddenDepth - 1)
                index = place(of: ">", after: true)
            } else {
                tag()
            }
        }
    }

    /// Redacts the text of an element.
    private mutating func text(until end: Int) {
        let range = index..<end
        index = end
        if hiddenDepth > 0 || hidesNextText {
            if bytes[range].contains(where: { $0 > 32 }) { hide(range) }
        } else if bytes[range].contains(UInt8(ascii: "\"")) {
            for var edit in JSONRedaction.edits(in: Array(bytes[range]), policy: policy, isInXML: true) {
                edit.range = edit.range.lowerBound + range.lowerBound..<edit.range.upperBound + range.lowerBound
                edits.append(edit)
            }
        }
    }

    private mutating func tag() {
        index += 1
        let name = name()
        let verdict = verdict(name)
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
            if bytes[index] == UInt8(ascii: "/") || bytes[index] <= 32 || bytes[index] == UInt8(ascii: "=") {
                index += 1
            } else if bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") {
                _ = value()
            } else {
                attribute()
            }
        }
        let isEmpty = index > 0 && bytes[index - 1] == UInt8(ascii: "/")
        index = min(index + 1, bytes.count)
        if isEmpty { return }
        hidesNextText = verdict == .hiddenText
        if hiddenDepth > 0 || verdict == .hidden { hiddenDepth += 1 }
        // A script is text, even if it contains `<`.
        if name.elementsEqual("script".utf8) { text(until: place(of: "</script")) }
    }

    private mutating func attribute() {
        let start = index
        let name = name()
        if index == start { index += 1 }
        var next = index
        while next < bytes.count, bytes[next] <= 32 || bytes[next] == UInt8(ascii: "=") { next += 1 }
        guard next > index, next < bytes.count, bytes[next] == UInt8(ascii: "\"") || bytes[next] == UInt8(ascii: "'")
        else { return }
        index = next
        let value = value()
        if hiddenDepth > 0 || verdict(name) != .shown {
            hide(value)
        } else if let redacted = policy.redactedText(Self.unescaped(String(decoding: bytes[value], as: UTF8.self))) {
            edits.append(BodyEdit(range: value, replacement: Array(Self.escaped(redacted).utf8)))
        }
    }

    /// Returns the range of a quoted value, without its quotes.
    private mutating func value() -> Range<Int> {
        let quote = bytes[index]
        let start = index + 1
        let end = bytes[start...].firstIndex(of: quote) ?? bytes.count
        index = min(end + 1, bytes.count)
        return start..<end
    }

    private mutating func name() -> ArraySlice<UInt8> {
        let start = index
        while index < bytes.count, bytes[index] > 32, !"=/>\"'<".utf8.contains(bytes[index]) { index += 1 }
        return bytes[start..<index]
    }

    private func verdict(_ name: ArraySlice<UInt8>) -> SensitiveName.Verdict {
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return local.isEmpty ? .shown : policy.verdict(bodyName: String(decoding: local, as: UTF8.self))
    }

    private mutating func hide(_ range: Range<Int>) {
        let secret = String(decoding: bytes[range], as: UTF8.self)
        let hidden = Self.escaped(policy.hidden(Self.unescaped(secret)))
        if !range.isEmpty, hidden != secret { edits.append(BodyEdit(range: range, replacement: Array(hidden.utf8))) }
    }

    /// Returns the text with markup characters as predefined entities.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&apos;")
    }

    /// Returns the text with predefined entities (section 4.6) replaced.
    static func unescaped(_ text: String) -> String {
        guard text.contains("&") else { return text }
        return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&apos;", with: "'").replacing("&amp;", with: "&")
    }

    private func starts(_ text: StaticString) -> Bool {
        bytes[index...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Returns the index of a text from here on, or the index after it; the end if the text isn't found.
    private func place(of text: StaticString, after: Bool = false) -> Int {
        let pattern = Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        guard let range = bytes[index...].firstRange(of: pattern) else { return bytes.count }
        return after ? range.upperBound : range.lowerBound
    }
}
