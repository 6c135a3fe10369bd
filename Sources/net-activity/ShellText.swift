#if Tools
internal import NetCore

/// A shell command of single-quoted words in which variables replace hidden values, and escapes replace characters that
/// control the terminal.
struct ShellText {
    let text: String

    /// - Parameter command: The command. Hidden values, and characters that control the terminal other than line
    ///   breaks, must be within single quotes.
    init(_ command: String) {
        let bytes = Array(command.utf8)
        var (result, place) = ([UInt8](), 0)
        result.reserveCapacity(bytes.count)
        while place < bytes.count {
            if let end = Self.endOfMark(in: bytes, at: place) {
                result += Array("'\"$\(Self.variable(before: result))\"'".utf8)
                place = end
            } else {
                let end = Self.endOfPlain(in: bytes, at: place)
                result += bytes[place..<end]
                place = end > place ? end : Self.copy(bytes, at: place, into: &result)
            }
        }
        text = String(decoding: result, as: UTF8.self)
    }

    /// Returns the end of the bytes that need no escape and can't begin a placeholder.
    private static func endOfPlain(in bytes: [UInt8], at place: Int) -> Int {
        var end = place
        while end < bytes.count {
            let byte = bytes[end]
            let isPlain = byte >= 0x20 ? byte < 0x7f && !isStartOfMark(byte) : byte == 0x0a || byte == 0x09
            guard isPlain else { break }
            end += 1
        }
        return end
    }

    private static func isStartOfMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "<") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&")
    }

    /// Appends the character at the position, or its escape, and returns the position of the next one.
    private static func copy(_ bytes: [UInt8], at place: Int, into result: inout [UInt8]) -> Int {
        let byte = bytes[place]
        let length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
        let character = bytes[place..<min(place + length, bytes.count)]
        let isSteering = String(decoding: character, as: UTF8.self).unicodeScalars.contains(where: TerminalText.steers)
        // Escapes bytes, which mean the same in every locale.
        let escape = character.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        result += isSteering ? Array("'$'\(escape)''".utf8) : Array(character)
        return place + character.count
    }

    /// Returns the end of the placeholder that begins at the position: `<redacted>`, `<redacted:1f2e3d4c>`, also in the
    /// encodings of forms and XML. Nil if there is no placeholder.
    private static func endOfMark(in bytes: [UInt8], at place: Int) -> Int? {
        guard isStartOfMark(bytes[place]) else { return nil }
        for (start, colon, end) in [("<", ":", ">"), ("%3C", "%3A", "%3E"), ("&lt;", ":", "&gt;")] {
            let first = Array((start + "redacted").utf8)
            guard bytes[place...].starts(with: first) else { continue }
            var rest = bytes[(place + first.count)...]
            if rest.starts(with: colon.utf8) {
                rest = rest.dropFirst(colon.utf8.count)
                guard rest.prefix(8).allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else { continue }
                rest = rest.dropFirst(8)
            }
            if rest.starts(with: end.utf8) { return rest.startIndex + end.utf8.count }
        }
        return nil
    }

    /// Returns a variable name from the header, item or member before the value: `Authorization: Bearer `, `api_key=`,
    /// `"password":"`.
    private static func variable(before bytes: [UInt8]) -> String {
        let line = String(decoding: bytes.suffix(200), as: UTF8.self).split(separator: "\n").last ?? ""
        let header = line.firstRange(of: "-H '").map { line[$0.upperBound...] }
        let named = header?.split(separator: ":", maxSplits: 1).first ?? lastWord(line)
        let letters = named.unicodeScalars.map { scalar -> Character in
            let isWord = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isWord ? Character(scalar) : "_"
        }
        let name = String(letters).uppercased()
        guard let first = name.first, !first.isNumber, name.contains(where: \.isLetter) else { return "SECRET" }
        return name
    }

    /// Returns the last word before the separator of a value; empty if the value is a part of a path.
    private static func lastWord(_ line: Substring) -> Substring {
        let isWord = { (letter: Character) in letter.isLetter || letter.isNumber || "_-[].".contains(letter) }
        guard let sign = line.lastIndex(where: { "=:/".contains($0) }), line[sign] != "/" else { return "" }
        let before = line[..<sign]
        guard let end = before.lastIndex(where: isWord) else { return "" }
        let start = before[..<end].lastIndex { !isWord($0) }.map(before.index(after:)) ?? before.startIndex
        return before[start...end]
    }
}
#endif
