#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Finds the values of sensitive members in any text that holds JSON: a document, lines of documents, an event stream,
/// also one that was cut. Everything else stays byte for byte.
///
/// Text becomes the placeholder and a number zero, so that the value still decodes as the same type; inside a sensitive
/// object or list, each of them does. Of a text that is a whole URL, or JSON itself, the secrets in it are hidden.
struct JSONRedaction {
    private let bytes: [UInt8]
    private let policy: RedactionPolicy
    private let placeholder: [UInt8]
    /// True for JSON in the text of XML, in which the signs of markup are escaped.
    private let isInXML: Bool
    private var edits: [BodyEdit] = []
    private var index = 0
    /// How deep in the value of a sensitive member; nil outside.
    private var hiddenDepth: Int?
    /// The next value belongs to a sensitive member.
    private var hidesNext = false

    static func edits(in bytes: [UInt8], policy: RedactionPolicy, isInXML: Bool = false) -> [BodyEdit] {
        var redaction = JSONRedaction(bytes, policy, isInXML)
        redaction.run()
        return redaction.edits
    }

    private init(_ bytes: [UInt8], _ policy: RedactionPolicy, _ isInXML: Bool) {
        self.isInXML = isInXML
        self.bytes = bytes
        self.policy = policy
        placeholder =
            Self.quoted(isInXML ? XMLRedaction.escaped(policy.placeholder) : policy.placeholder)
            ?? Array("\"\"".utf8)
    }

    private mutating func run() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): string()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if let depth = hiddenDepth { hiddenDepth = depth + 1 } else if hidesNext { hiddenDepth = 1 }
                hidesNext = false
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let depth = hiddenDepth { hiddenDepth = depth > 1 ? depth - 1 : nil }
                hidesNext = false
                index += 1
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): number()
            case UInt8(ascii: ","):
                hidesNext = false
                index += 1
            default: index += 1
            }
        }
    }

    private mutating func string() {
        let start = index
        index += 1
        // Raw line ends stand in no string: one that has none at its end ends there.
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != 0x0a {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index = min(index, bytes.count)
        let isWhole = index < bytes.count && bytes[index] == UInt8(ascii: "\"")
        if isWhole { index += 1 }
        var next = index
        while next < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[next]) { next += 1 }
        if !hidesNext, next < bytes.count, bytes[next] == UInt8(ascii: ":") {
            hidesNext = hiddenDepth == nil && isSensitive(bytes[start..<index])
            index = next + 1
        } else if hidesNext || hiddenDepth != nil {
            hide(start..<index, with: hidden(bytes[start..<index], isWhole: isWhole), isSecret: true)
        } else if let replacement = isWhole
            ? withoutSecrets(bytes[start..<index]) : withoutSecrets(cut: bytes[start..<index])
        {
            edits.append(BodyEdit(range: start..<index, replacement: replacement))
        }
    }

    /// What stands in place of a secret text; one that was cut has no mark.
    private func hidden(_ quoted: ArraySlice<UInt8>, isWhole: Bool) -> [UInt8] {
        guard policy.markKey != nil, isWhole, let secret = text(of: quoted) else { return placeholder }
        return self.quoted(policy.hidden(secret)) ?? placeholder
    }

    /// A text that is a URL or JSON itself, written anew without its secrets; nil where it has none.
    private func withoutSecrets(_ quoted: ArraySlice<UInt8>) -> [UInt8]? {
        guard
            RedactionPolicy.mayBeJSON(quoted.dropFirst()) || Self.mayBeURL(quoted), let text = text(of: quoted),
            let redacted = policy.redactedText(text)
        else { return nil }
        return self.quoted(redacted)
    }

    /// The same for a text without its end, where the body was cut.
    private func withoutSecrets(cut quoted: ArraySlice<UInt8>) -> [UInt8]? {
        guard quoted.endIndex == bytes.count else { return nil }
        var end = quoted.startIndex
        while end < quoted.endIndex {
            let isEscape = quoted[end] == UInt8(ascii: "\\")
            let next = end + (isEscape ? quoted[end...].dropFirst().first == UInt8(ascii: "u") ? 6 : 2 : 1)
            // An escape that is cut, too, is left out.
            if next > quoted.endIndex { break }
            end = next
        }
        let whole = Array(quoted[..<end]) + [UInt8(ascii: "\"")]
        return withoutSecrets(whole[...]).map { Array($0.dropLast()) }
    }

    /// Whether it begins with a slash or a question mark, or there is a colon with a slash behind it. A slash may be escaped.
    private static func mayBeURL(_ text: ArraySlice<UInt8>) -> Bool {
        if let first = text.dropFirst().first, "/\\?".utf8.contains(first) { return true }
        return zip(text, text.dropFirst()).contains {
            $0 == UInt8(ascii: ":") && ($1 == UInt8(ascii: "/") || $1 == UInt8(ascii: "\\"))
        }
    }

    private func text(of quoted: ArraySlice<UInt8>) -> String? {
        let text = Self.text(of: quoted)
        return isInXML ? text.map(XMLRedaction.unescaped) : text
    }

    private func quoted(_ text: String) -> [UInt8]? {
        Self.quoted(isInXML ? XMLRedaction.escaped(text) : text)
    }

    private static func text(of quoted: ArraySlice<UInt8>) -> String? {
        guard quoted.contains(UInt8(ascii: "\\")) else {
            return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        }
        return unescaped(quoted)
    }

    private static func unescaped(_ quoted: ArraySlice<UInt8>) -> String? {
        try? JSONDocument(Bytes(quoted), replacesLoneSurrogates: true).string(at: 0)
    }

    private static func quoted(_ text: String) -> [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { Array($0) }
    }

    private mutating func number() {
        let start = index
        while index < bytes.count, "+-.eE0123456789".utf8.contains(bytes[index]) { index += 1 }
        hide(start..<index, with: [UInt8(ascii: "0")])
    }

    private mutating func hide(_ range: Range<Int>, with replacement: [UInt8], isSecret: Bool = false) {
        if (hidesNext || hiddenDepth != nil) && !bytes[range].elementsEqual(replacement) {
            var edit = BodyEdit(range: range, replacement: replacement)
            edit.isSecret = isSecret
            edits.append(edit)
        }
        hidesNext = false
    }

    private func isSensitive(_ quoted: ArraySlice<UInt8>) -> Bool {
        let plain = String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        guard quoted.contains(UInt8(ascii: "\\")) else { return policy.isSensitive(bodyName: plain) }
        // An escape must not hide a name from us.
        let name = Self.unescaped(quoted) ?? plain
        return policy.isSensitive(bodyName: name)
    }
}
