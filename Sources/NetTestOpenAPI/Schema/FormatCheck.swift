#if Server
internal import NetCore
internal import NetOpenAPIRuntime

/// The text formats that are checked. Any other format accepts everything.
enum FormatCheck {
    static func accepts(_ text: String, format: String) -> Bool {
        switch format {
        case "date-time": RFC3339.date(from: text) != nil && !text.contains(" ")
        case "date": CalendarDate(text) != nil
        case "time": text.utf8.count >= 8 && RFC3339.date(from: "2000-01-01T" + text) != nil
        case "uuid": isUUID(text)
        case "byte", "base64": isBase64(text)
        case "ipv4": isIPv4(text)
        case "ipv6": isIPv6(text)
        case "email": isEmail(text)
        case "uri", "url": hasScheme(text)
        default: true
        }
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...102).contains(byte | 0x20)
    }

    private static func isUUID(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.allSatisfy(isHex) }
    }

    /// RFC 4648 section 4, also with line breaks (RFC 2045).
    private static func isBase64(_ text: String) -> Bool {
        let bytes = text.utf8.filter { $0 != 10 && $0 != 13 }
        let padding = bytes.suffix(2).count { $0 == UInt8(ascii: "=") }
        return bytes.count % 4 == 0
            && bytes.dropLast(padding).allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
            }
    }

    private static func isIPv4(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return groups.count == 4
            && groups.allSatisfy { group in
                let text = String(decoding: group, as: UTF8.self)
                return UInt8(text).map { String($0) == text } ?? false
            }
    }

    private static func isIPv6(_ text: String) -> Bool {
        var text = Substring(text)
        if let colon = text.lastIndex(of: ":"), text[colon...].contains(".") {
            guard isIPv4(String(text[text.index(after: colon)...])) else { return false }
            text = text[...colon] + "0:0"
        }
        let groups = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard groups.count >= 3, groups.allSatisfy({ $0.count <= 4 && $0.allSatisfy(isHex) }) else { return false }
        let isOpen = (first: groups[0].isEmpty, last: groups[groups.count - 1].isEmpty)
        if isOpen.first, !groups[1].isEmpty { return false }
        if isOpen.last, !groups[groups.count - 2].isEmpty { return false }
        let gaps = groups.dropFirst().dropLast().count { $0.isEmpty }
        if text == "::" { return true }
        if gaps == 0 { return groups.count == 8 }
        return gaps == 1 && groups.count(where: { !$0.isEmpty }) < 8
    }

    private static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count >= 2 && !(parts.first ?? "").isEmpty && !(parts.last ?? "").isEmpty
    }

    /// A scheme (RFC 3986 section 3.1), and no space.
    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon > text.utf8.startIndex else {
            return false
        }
        let scheme = text.utf8[..<colon]
        return scheme.allSatisfy { byte in
            (97...122).contains(byte | 0x20) || (48...57).contains(byte) || [43, 45, 46].contains(byte)
        } && !text.utf8.contains(32)
    }
}
#endif
