#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Finds values that show by themselves that they are secrets, wherever they stand in a text: private keys in PEM, JSON
/// Web Tokens (RFC 7519), user and password in a URL, key IDs of AWS, the token after `Bearer` (RFC 6750) and `Basic`
/// (RFC 7617), tokens with a vendor's prefix (``VendorToken``), and the addresses of webhooks.
///
/// Every such value contains a word of at least eight letters, digits, `_`, `-` and `.`. So only each eighth byte is
/// read, and words around it: for JSON, about half of the bytes.
struct SecretScan {
    private static let shortest = 8

    private let text: UnsafeBufferPointer<UInt8>
    private let tokens = VendorToken.byFirstByte
    private var found: [Range<Int>] = []
    /// The last run of the characters of a Base64 text, so that a long one isn't searched again for each of its words.
    private var run = 0..<0

    /// Returns the ranges of the secrets, in order.
    static func ranges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        guard bytes.count >= shortest else { return [] }
        return bytes.withMemoryRebound(to: UInt8.self) { text in
            var scan = SecretScan(text: text)
            scan.words()
            scan.passwords()
            return scan.found
        }
    }

    private init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

    private mutating func words() {
        let count = text.count
        var place = 0
        while place + Self.shortest <= count {
            let probe = place + Self.shortest - 1
            guard Self.isOfWord(text[probe]) else {
                place = probe + 1
                continue
            }
            var (start, end) = (probe, probe + 1)
            while start > place, Self.isOfWord(text[start - 1]) { start -= 1 }
            while end < count, Self.isOfWord(text[end]) { end += 1 }
            place = end + 1
            if end - start >= Self.shortest, let range = secret(in: start..<end) {
                found.append(range)
                place = max(place, range.upperBound)
            }
        }
    }

    /// Returns the secret that a word is, begins, or belongs to.
    private mutating func secret(in word: Range<Int>) -> Range<Int>? {
        if let token = tokenAfterScheme(word) { return token }
        var (start, end) = (word.lowerBound, word.upperBound)
        while end > start, text[end - 1] == UInt8(ascii: ".") { end -= 1 }
        // The word may follow an escape: `%3D` in a URL, `\n` or `\u003d` in JSON.
        if start > 0 {
            if text[start - 1] == UInt8(ascii: "%") {
                start += 2
            } else if text[start - 1] == UInt8(ascii: "\\") {
                start += text[start] == UInt8(ascii: "u") ? 5 : 1
            }
        }
        guard end - start >= Self.shortest else { return nil }
        let first = text[start]
        if end - start < VendorToken.shortest {
            switch first {
            case UInt8(ascii: "-"): return privateKey(start)
            case UInt8(ascii: "h"), UInt8(ascii: "d"): return webhook(start..<end)
            case 48...57: return botToken(start..<end)
            default: return nil
            }
        }
        guard VendorToken.mayBegin(with: first) else { return nil }
        let part = UnsafeBufferPointer(rebasing: text[start..<end])
        if first == UInt8(ascii: "A"), part.count == 20, Self.isKeyID(part) { return start..<end }
        if first == UInt8(ascii: "e"), Self.isWebToken(part) { return start..<end }
        let isToken = tokens[Int(first)].contains { token in
            token.matches(part) && (token.isUnmistakable || !isInBase64(start..<end))
        }
        return isToken ? start..<end : nil
    }

    /// Returns the token of `Bearer …`, or of `Basic …` if it contains a colon once it is decoded.
    private mutating func tokenAfterScheme(_ word: Range<Int>) -> Range<Int>? {
        var start = word.lowerBound
        while start > 0, Self.isOfBase64(text[start - 1]) {
            if start == run.upperBound {
                run = run.lowerBound..<word.upperBound
                return nil
            }
            start -= 1
        }
        run = start..<word.upperBound
        // In a URL, the word begins with the digits of the escape: `Bearer%20a1b2`.
        if start > 5, text[start - 1] == UInt8(ascii: "%"), text[start] == 0x32, text[start + 1] == 0x30 { start += 2 }
        guard start > 5, start < word.upperBound, let scheme = scheme(before: start) else { return nil }
        var end = word.upperBound
        while end < text.count, Self.isOfBase64(text[end]) { end += 1 }
        run = start..<end
        // `Bearer realm="…"` is a challenge.
        if end < text.count, text[end] == UInt8(ascii: "\""), text[end - 1] == UInt8(ascii: "=") { return nil }
        while end > start, text[end - 1] == UInt8(ascii: ".") { end -= 1 }
        let token = text[start..<end]
        if scheme == .basic {
            let decoded = Data(base64Encoded: String(decoding: token, as: UTF8.self))
            return decoded.map { $0.contains(UInt8(ascii: ":")) && $0.allSatisfy { $0 >= 32 } } ?? false
                ? start..<end : nil
        }
        return Self.isOrdinary(token) ? nil : start..<end
    }

    /// True for a word such as `authentication`, `access_token` and `OAuth2.0`, which follow `bearer` in prose.
    private static func isOrdinary(_ token: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var word = token
        if word.count > 2, let last = word.last, isDigit(last), word.dropLast().last == UInt8(ascii: ".") {
            word = word.dropLast(2)
        }
        if let last = word.last, isDigit(last) { word = word.dropLast() }
        return token.count < 32
            && word.allSatisfy { (97...122).contains($0 | 0x20) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private enum Scheme { case bearer, basic }

    /// The scheme that a space or `%20` separates from a token.
    private func scheme(before start: Int) -> Scheme? {
        var end = start - 1
        if text[end] != UInt8(ascii: " ") {
            guard end > 6, text[end] == 0x30, text[end - 1] == 0x32, text[end - 2] == UInt8(ascii: "%") else {
                return nil
            }
            end -= 2
        }
        func ends(in name: StaticString) -> Bool {
            let start = end - name.utf8CodeUnitCount
            guard start >= 0 else { return false }
            for index in 0..<name.utf8CodeUnitCount where text[start + index] | 0x20 != name.utf8Start[index] {
                return false
            }
            return start == 0 || !Self.isOfWord(text[start - 1]) || text[start - 1] < 65
        }
        switch text[end - 1] | 0x20 {
        case UInt8(ascii: "r"): return ends(in: "bearer") ? .bearer : nil
        case UInt8(ascii: "c"): return ends(in: "basic") ? .basic : nil
        default: return nil
        }
    }

    /// Returns a private key (RFC 7468) from its first line to its last one, or to the end of the string, element or query
    /// item in which it is cut. Blanks may be escaped, as in a URL.
    private func privateKey(_ start: Int) -> Range<Int>? {
        let rest = text[start...]
        guard rest.starts(with: "-----BEGIN".utf8) else { return nil }
        let label = rest.dropFirst(10).prefix(60)
        guard let name = label.firstIndex(of: UInt8(ascii: "-")).map({ label[..<$0] }) else { return nil }
        let words = String(decoding: name, as: UTF8.self)
        guard words.contains("PRIVATE"), words.contains("KEY") else { return nil }
        var place = name.endIndex
        while place < text.count {
            let byte = text[place]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "<") { return start..<place }
            if byte == UInt8(ascii: "&"), isBetweenItems(place) { return start..<place }
            if byte == UInt8(ascii: "-"), text[place...].starts(with: "-----END".utf8) {
                var end = place + 8
                while end < text.count, text[end] != UInt8(ascii: "-") { end += 1 }
                while end < text.count, text[end] == UInt8(ascii: "-") { end += 1 }
                return start..<end
            }
            place += 1
        }
        return start..<text.count
    }

    /// True for an `&` that begins a query item, rather than a character reference of XML.
    private func isBetweenItems(_ place: Int) -> Bool {
        let rest = text[(place + 1)...]
        return rest.first != UInt8(ascii: "#") && !rest.starts(with: "amp;".utf8)
    }

    /// `AKIA`, or another prefix of keys (IAM User Guide, "Unique identifiers"), and 16 characters in Base32.
    private static func isKeyID(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        ["AKIA", "ASIA", "ABIA", "ACCA"].contains { word.starts(with: $0.utf8) }
            && word.allSatisfy { (65...90).contains($0) || (48...57).contains($0) }
    }

    /// Three parts of which two are JSON, or the five of an encrypted token (RFC 7516).
    private static func isWebToken(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        guard word.starts(with: "eyJ".utf8) else { return false }
        let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count > 1 && parts[0].count > 8 && parts[1].starts(with: "eyJ".utf8) || parts.count == 5
    }

    /// The path of a webhook: who knows it may send messages.
    private func webhook(_ host: Range<Int>) -> Range<Int>? {
        let end = host.upperBound
        guard end < text.count, text[end] == UInt8(ascii: "/"), host.count >= 11, text[end - 1] == UInt8(ascii: "m")
        else {
            return nil
        }
        for (name, path) in Self.webhooks where text[host].elementsEqual(name.utf8) {
            let slash = end..<min(end + path.utf8.count, text.count)
            guard text[slash].elementsEqual(path.utf8) else { continue }
            var last = slash.upperBound
            while last < text.count, Self.isOfBase64(text[last]) { last += 1 }
            if last > slash.upperBound { return slash.upperBound..<last }
        }
        return nil
    }

    private static let webhooks = [
        ("hooks.slack.com", "/services/"), ("hooks.slack.com", "/workflows/"), ("hooks.slack.com", "/triggers/"),
        ("discord.com", "/api/webhooks/"), ("discordapp.com", "/api/webhooks/"), ("hooks.zapier.com", "/hooks/catch/"),
    ]

    /// A token of a Telegram bot: its number, and 35 characters that begin with `AA`.
    private func botToken(_ number: Range<Int>) -> Range<Int>? {
        let end = number.upperBound
        guard end < text.count, text[end] == UInt8(ascii: ":"), text[number].allSatisfy({ (48...57).contains($0) }),
            text[end...].starts(with: ":AA".utf8)
        else {
            return nil
        }
        var last = end + 1
        while last < text.count, Self.isOfWord(text[last]) { last += 1 }
        while text[last - 1] == UInt8(ascii: ".") { last -= 1 }
        return last - end == 36 ? number.lowerBound..<last : nil
    }

    /// Finds `user:password@` after `//`; the slashes may be escaped as in JSON.
    private mutating func passwords() {
        guard let base = text.baseAddress else { return }
        var place = 0
        var ranges: [Range<Int>] = []
        while place < text.count, let at = memchr(base + place, 0x40, text.count - place) {
            let end = UnsafeRawPointer(at) - UnsafeRawPointer(base)
            var (start, hasColon) = (end, false)
            while start > 0, end - start < 1024, Self.mayBeOfUser(text[start - 1]) {
                start -= 1
                if text[start] == UInt8(ascii: ":"), start + 1 < end { hasColon = true }
            }
            if hasColon, start > 2, followsSlashes(start) { ranges.append(start..<end) }
            place = end + 1
        }
        guard !ranges.isEmpty else { return }
        found = (found + ranges).map { BodyEdit(range: $0, replacement: []) }.withoutOverlaps.map(\.range)
    }

    private func followsSlashes(_ start: Int) -> Bool {
        let before = text[max(0, start - 5)..<start]
        return before.suffix(3).elementsEqual("://".utf8) || before.elementsEqual(#":\/\/"#.utf8)
    }

    private static func mayBeOfUser(_ byte: UInt8) -> Bool {
        byte > 32 && byte != UInt8(ascii: "/") && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "\"")
            && byte != UInt8(ascii: "'") && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">")
    }

    /// True for a part of a longer Base64 text, in which four letters may come together by chance.
    private func isInBase64(_ part: Range<Int>) -> Bool {
        let before = part.lowerBound > 0 ? text[part.lowerBound - 1] : 0
        let after = part.upperBound < text.count ? text[part.upperBound] : 0
        return before == UInt8(ascii: "+") || before == UInt8(ascii: "/") || after == UInt8(ascii: "+")
            || after == UInt8(ascii: "/") || after == UInt8(ascii: "=")
    }

    /// A letter, a digit, `_`, `-` or `.`.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte < 64
            ? 0x03ff_6000_0000_0000 as UInt64 &>> UInt64(byte) & 1 == 1
            : byte < 128 && 0x07ff_fffe_87ff_fffe as UInt64 &>> UInt64(byte &- 64) & 1 == 1
    }

    /// The same, or `+`, `/`, `=` or `~`.
    private static func isOfBase64(_ byte: UInt8) -> Bool {
        isOfWord(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
            || byte == UInt8(ascii: "~")
    }
}
