#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Finds the values of sensitive members in any text that contains JSON: a document, lines of documents, an event
/// stream, or a truncated one. Everything else stays byte for byte.
///
/// A sensitive string becomes the placeholder and a sensitive number becomes zero, so the value still decodes as the
/// same type. In a sensitive object or array, this applies to each string and number inside; some names hide only texts
/// (``SensitiveName/Verdict/hiddenText``). In any other string that is a URL or JSON itself, only its secrets are hidden.
///
/// The bytes are read through a pointer and each name is checked only once: tests record bodies in unoptimized
/// builds, where an array subscript costs ten times as much.
struct JSONRedaction {
    private let bytes: [UInt8]
    /// A pointer to the first of ``bytes``.
    private let text: UnsafePointer<UInt8>
    private let policy: RedactionPolicy
    private let placeholder: [UInt8]
    /// True for JSON inside XML text, where the markup characters are escaped.
    private let isInXML: Bool
    private var edits: [BodyEdit] = []
    private var index = 0
    /// The nesting depth inside the value of a sensitive member; nil outside.
    private var hiddenDepth: Int?
    /// True if the next value belongs to a sensitive member.
    private var hidesNext = false
    /// True if the sensitive member hides only texts.
    private var hidesOnlyTexts = false
    private var verdicts = NameVerdicts()

    static func edits(in bytes: [UInt8], policy: RedactionPolicy, isInXML: Bool = false) -> [BodyEdit] {
        bytes.withUnsafeBufferPointer { buffer in
            guard let text = buffer.baseAddress else { return [] }
            var redaction = JSONRedaction(bytes, text, policy, isInXML)
            redaction.run()
            return redaction.edits
        }
    }

    private init(_ bytes: [UInt8], _ text: UnsafePointer<UInt8>, _ policy: RedactionPolicy, _ isInXML: Bool) {
        self.isInXML = isInXML
        self.bytes = bytes
        self.text = text
        self.policy = policy
        placeholder =
            Self.quoted(isInXML ? XMLRedaction.escaped(policy.placeholder) : policy.placeholder)
            ?? Array("\"\"".utf8)
    }

    // Character codes: 0x22 `"`, 0x2c `,`, 0x3a `:`, 0x5b `[`, 0x5c `\`, 0x5d `]`, 0x7b `{`, 0x7d `}`.

    private mutating func run() {
        let end = bytes.count
        while index < end {
            let byte = text[index]
            if byte == 0x22 {
                string()
            } else if byte == 0x2c {
                hidesNext = false
                index += 1
            } else if byte == 0x7b || byte == 0x5b {
                if hidesOnlyTexts, byte == 0x7b {
                    hiddenDepth = nil
                } else if let depth = hiddenDepth {
                    hiddenDepth = depth + 1
                } else if hidesNext {
                    hiddenDepth = 1
                }
                hidesNext = false
                index += 1
            } else if byte == 0x7d || byte == 0x5d {
                if let depth = hiddenDepth { hiddenDepth = depth > 1 ? depth - 1 : nil }
                hidesNext = false
                index += 1
            } else if byte == 0x2d || byte >= 0x30 && byte <= 0x39 {
                number()
            } else {
                index += 1
            }
        }
    }

    private mutating func string() {
        let (start, end) = (index, bytes.count)
        var (place, hasEscape, mayBeURL, hasPartsOfURL) = (start + 1, false, false, false)
        while place < end {
            let byte = text[place]
            if byte > 0x5c {
                place += 1
                continue
            }
            // A string can't contain a raw line break, so an unterminated one ends there.
            if byte == 0x22 || byte == 0x0a { break }
            if byte == 0x5c || byte == 0x2f {
                if place == start + 1 || text[place - 1] == 0x3a { mayBeURL = true }
                if byte == 0x5c {
                    hasEscape = true
                    place += 1
                }
            } else if byte == 0x3f || byte == 0x23 || byte == 0x40 || byte == 0x3b {
                hasPartsOfURL = true
                if byte == 0x3f, place == start + 1 { mayBeURL = true }
            }
            place += 1
        }
        index = min(place, end)
        let isWhole = index < end && text[index] == 0x22
        if isWhole { index += 1 }
        var next = index
        while next < end, Self.isBlank(text[next]) { next += 1 }
        if !hidesNext, next < end, text[next] == 0x3a {
            if hiddenDepth == nil {
                let verdict = verdict(start..<index, hasEscape: hasEscape)
                hidesNext = verdict != .shown
                hidesOnlyTexts = verdict == .hiddenText
            }
            index = next + 1
        } else if hidesNext || hiddenDepth != nil {
            let replacement = hidden(bytes[start..<index], isWhole: isWhole)
            hide(start..<index, with: replacement, isSecret: true)
        } else {
            // A URL without user information, query, fragment and parameters can only match path rules.
            let mayHoldSecret = mayBeURL && (hasEscape || hasPartsOfURL || !policy.pathRules.isEmpty)
            guard mayHoldSecret || mayBeJSON(start..<index) else { return }
            if let replacement = isWhole
                ? withoutSecrets(bytes[start..<index]) : withoutSecrets(cut: bytes[start..<index])
            {
                edits.append(BodyEdit(range: start..<index, replacement: replacement))
            }
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 }

    /// True if the content of a string starts like an object or array.
    private func mayBeJSON(_ quoted: Range<Int>) -> Bool {
        var place = quoted.lowerBound + 1
        while place < quoted.upperBound, text[place] <= 0x20 { place += 1 }
        return place < quoted.upperBound && (text[place] == 0x7b || text[place] == 0x5b)
    }

    /// Returns the replacement of a secret string; a truncated one gets no mark.
    private func hidden(_ quoted: ArraySlice<UInt8>, isWhole: Bool) -> [UInt8] {
        guard policy.markKey != nil, isWhole, let secret = text(of: quoted) else { return placeholder }
        return self.quoted(policy.hidden(secret)) ?? placeholder
    }

    /// Returns a string that is a URL or JSON itself without its secrets; nil if it has none.
    private func withoutSecrets(_ quoted: ArraySlice<UInt8>) -> [UInt8]? {
        guard
            RedactionPolicy.mayBeJSON(quoted.dropFirst()) || Self.mayBeURL(quoted), let text = text(of: quoted),
            let redacted = policy.redactedText(text)
        else { return nil }
        return self.quoted(redacted)
    }

    /// Does the same for a string whose end is missing because the body was truncated.
    private func withoutSecrets(cut quoted: ArraySlice<UInt8>) -> [UInt8]? {
        guard quoted.endIndex == bytes.count else { return nil }
        var end = quoted.startIndex
        while end < quoted.endIndex {
            let isEscape = quoted[end] == UInt8(ascii: "\\")
            let next = end + (isEscape ? quoted[end...].dropFirst().first == UInt8(ascii: "u") ? 6 : 2 : 1)
            // Omits an escape that is itself truncated.
            if next > quoted.endIndex { break }
            end = next
        }
        let whole = Array(quoted[..<end]) + [UInt8(ascii: "\"")]
        return withoutSecrets(whole[...]).map { Array($0.dropLast()) }
    }

    /// True if the text starts with a slash or question mark, or contains a colon followed by a slash. Slashes may be
    /// escaped.
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
        let (start, end) = (index, bytes.count)
        while index < end, Self.isOfNumber(text[index]) { index += 1 }
        guard hidesNext || hiddenDepth != nil, !hidesOnlyTexts else {
            hidesNext = false
            return
        }
        hide(start..<index, with: [UInt8(ascii: "0")])
    }

    /// A digit, `+`, `-`, `.`, `E` or `e`.
    private static func isOfNumber(_ byte: UInt8) -> Bool {
        byte >= 0x30 && byte <= 0x39 || byte == 0x2b || byte == 0x2d || byte == 0x2e || byte == 0x45 || byte == 0x65
    }

    private mutating func hide(_ range: Range<Int>, with replacement: [UInt8], isSecret: Bool = false) {
        if !bytes[range].elementsEqual(replacement) {
            var edit = BodyEdit(range: range, replacement: replacement)
            edit.isSecret = isSecret
            edits.append(edit)
        }
        hidesNext = false
    }

    private mutating func verdict(_ quoted: Range<Int>, hasEscape: Bool) -> SensitiveName.Verdict {
        let slot = verdicts.slot(of: quoted, in: text)
        if let known = verdicts[slot, of: quoted, in: text] { return known }
        let verdict = judge(bytes[quoted], hasEscape: hasEscape)
        verdicts.keep(verdict, slot, of: quoted)
        return verdict
    }

    private func judge(_ quoted: ArraySlice<UInt8>, hasEscape: Bool) -> SensitiveName.Verdict {
        let plain = String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        guard hasEscape else { return policy.verdict(bodyName: plain) }
        // Escapes in a name must not prevent its detection.
        let name = Self.unescaped(quoted) ?? plain
        return policy.verdict(bodyName: name)
    }
}
