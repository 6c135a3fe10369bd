extension DownloadName {
    /// Returns the replacement of a character in a name; nil to remove it.
    static func allowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        // Control characters, and those that Windows forbids. U+FFFD represents bytes that weren't UTF-8.
        case 0..<0x20, 0x7f..<0xa0, 0xfffd: return "_"
        case 0x22, 0x2a, 0x3a, 0x3c, 0x3e, 0x3f, 0x7c: return "_"
        // Invisible characters and those that change the text direction: an extension could look like another one.
        case 0x61c, 0x200b, 0x200e, 0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfeff, 0xfff9...0xfffb: return nil
        case 0xe0000...0xe0fff: return nil
        default: return scalar.properties.generalCategory == .unassigned ? "_" : scalar
        }
    }

    /// Removes leading dots, dashes, blanks and marks that would combine with a preceding character, and trailing
    /// dots and blanks.
    static func trimmed(_ name: String) -> String {
        let scalars = name.unicodeScalars
        let start = scalars.firstIndex { !isDropped(atStart: $0) } ?? scalars.endIndex
        var end = scalars.endIndex
        while end > start, case let last = scalars[scalars.index(before: end)], isBlank(last) || last == "." {
            end = scalars.index(before: end)
        }
        return String(scalars[start..<end])
    }

    private static func isDropped(atStart scalar: Unicode.Scalar) -> Bool {
        // U+200D joins emoji.
        isBlank(scalar) || [".", "-", "\u{200d}"].contains(scalar) || scalar.properties.isGraphemeExtend
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    /// Returns true for a name that Windows interprets as a device, with any extension.
    static func isDevice(_ name: String) -> Bool {
        let base = trimmed(String(name.prefix { $0 != "." })).uppercased()
        if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"].contains(base) { return true }
        guard base.hasPrefix("COM") || base.hasPrefix("LPT") else { return false }
        let number = base.dropFirst(3)
        return number.count == 1 && "0123456789¹²³".contains(number)
    }

    /// Splits a name before its extension: at most 20 letters and digits after the last dot, including a preceding
    /// `.tar`.
    static func parts(_ name: String) -> (base: String, ending: String) {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
            case let letters = name[dot...].utf8.dropFirst(), (1...20).contains(letters.count),
            letters.allSatisfy({ (48...57).contains($0) || (65...90).contains($0 & 0xdf) })
        else { return (name, "") }
        let base = name[..<dot]
        if base.count > 4, base.lowercased().hasSuffix(".tar") {
            let start = name.index(dot, offsetBy: -4)
            return (String(name[..<start]), String(name[start...]))
        }
        return (String(base), String(name[dot...]))
    }

    /// Shortens a name to the maximum size; its extension stays.
    static func shortened(_ name: String) -> String {
        guard name.utf8.count > maximumBytes else { return name }
        let (base, ending) = parts(name)
        return cut(base, to: maximumBytes - ending.utf8.count) + ending
    }

    /// Shortens a text at a character boundary to at most `count` bytes, without a trailing blank or dot.
    static func cut(_ text: String, to count: Int) -> String {
        guard text.utf8.count > count else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: count)
        while end > text.startIndex, end.samePosition(in: text) == nil { end = text.utf8.index(before: end) }
        // A single character may have any number of combining marks.
        if end == text.startIndex {
            end = text.utf8.index(text.startIndex, offsetBy: count)
            while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        }
        return trimmed(String(text[..<end]))
    }
}
