extension RedactionPolicy {
    /// Returns the URL without user and password, and with hidden values in the path, its parameters (`;token=x`),
    /// the query and the fragment replaced.
    ///
    /// The text need not be a valid URL: anything that looks like user information or a named value is hidden.
    public func redact(url: String) -> String {
        guard self != .disabled else { return url }
        return hidingValues(in: redactNames(inURL: url), values.secrets?.current)
    }

    private func redactNames(inURL url: String) -> String {
        var url = url
        if pathRules.isEmpty, url.withUTF8({ !mayHoldSecrets($0) }) { return url }
        // Operates on bytes rather than characters: a combining mark would hide the separator before it.
        let bytes = Array(url.utf8)
        let start = Self.authorityStart(bytes)
        let query = bytes[start...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
        let hasAuthority = bytes[..<start].suffix(2).count(where: Self.isSlash) == 2
        if let at = Self.endOfUser(bytes, from: start, query: query) {
            let end = bytes[at...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
            let path = redactedPath(bytes[at..<end], hasAuthority: true)
            return Self.text(bytes[..<start]) + hidden(Self.text(bytes[start..<at]))
                + redactedItems(Array(path.utf8) + bytes[end...])
        }
        return Self.text(bytes[..<start]) + redactedPath(bytes[start..<query], hasAuthority: hasAuthority)
            + redactedItems(bytes[query...])
    }

    /// False if only the path may need redaction. This is the common case, which avoids copying.
    private func mayHoldSecrets(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
        guard var index = url.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            return url.contains { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: ";") }
        }
        if url[..<index].contains(UInt8(ascii: ";")) || Self.mayHoldURL(url) { return true }
        var start = index + 1
        while index < url.count {
            index += 1
            if index == url.count || Self.isSeparator(url[index]) {
                start = index + 1
            } else if url[index] == UInt8(ascii: "=") {
                if isSensitive(queryName: Slice(base: url, bounds: start..<index)) { return true }
                if index + 1 < url.count, Self.mayBeginJSON(url[index + 1]) { return true }
                while index + 1 < url.count, !Self.isSeparator(url[index + 1]) { index += 1 }
            }
        }
        return false
    }

    /// True if there is an `@`, or a percent-encoded `@`, `:`, `?`, `#` or `;`, as in a redirect target.
    private static func mayHoldURL(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
        var before: (UInt8, UInt8) = (0, 0)
        for byte in url {
            if byte == UInt8(ascii: "@") { return true }
            // "%40", "%3A", "%3B", "%3F" and "%23", or "%2540" and so on if encoded twice.
            if before.0 == UInt8(ascii: "%") || before.0 == UInt8(ascii: "5") {
                if before.1 == UInt8(ascii: "4"), byte == UInt8(ascii: "0") { return true }
                if before.1 == UInt8(ascii: "3"), "abf".utf8.contains(byte | 0x20) { return true }
                if before.1 == UInt8(ascii: "2"), byte == UInt8(ascii: "3") { return true }
            }
            before = (before.1, byte)
        }
        return false
    }

    /// True if a value with this first byte may be JSON, plain or percent-encoded.
    private static func mayBeginJSON(_ byte: UInt8) -> Bool {
        byte <= 32 || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "%")
            || byte == UInt8(ascii: "+")
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private func isSensitive(queryName name: some Collection<UInt8>) -> Bool {
        let text = String(decoding: name, as: UTF8.self)
        // Most names are one plain word.
        if name.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) }) { return isSensitive(word: text) }
        return isSensitive(queryName: PercentEncoding.decode(text, plusIsSpace: true))
    }

    /// Returns the start of the authority: after the scheme and the slashes, either of which may be missing.
    private static func authorityStart(_ bytes: [UInt8]) -> Int {
        let word = bytes.prefix { $0 != UInt8(ascii: ":") && !isSlash($0) && $0 != UInt8(ascii: "@") }
        var start = 0
        if word.endIndex + 1 < bytes.count, bytes[word.endIndex] == UInt8(ascii: ":"), isSlash(bytes[word.endIndex + 1])
        {
            start = word.endIndex + 1
        }
        while start < bytes.count, isSlash(bytes[start]) { start += 1 }
        return start
    }

    /// Returns the index of the `@` that ends user and password; nil if there are none.
    private static func endOfUser(_ bytes: [UInt8], from start: Int, query: Int) -> Int? {
        let end = bytes[start..<query].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") } ?? query
        if let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) { return at }
        // A password with an unescaped `/`, `?` or `#` looks like a port that isn't a number.
        guard let colon = bytes[start..<end].firstIndex(of: UInt8(ascii: ":")), bytes[start] != UInt8(ascii: "["),
            !bytes[(colon + 1)..<end].allSatisfy({ $0 >= 48 && $0 <= 57 })
        else { return nil }
        return bytes[end...].lastIndex(of: UInt8(ascii: "@"))
    }

    /// Returns a path with the values of its parameters (RFC 3986 section 3.3) hidden.
    func redactedParameters(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard path.contains(UInt8(ascii: ";")) else { return path }
        var result: [UInt8] = []
        var rest = path
        while let semicolon = rest.firstIndex(of: UInt8(ascii: ";")) {
            result += rest[...semicolon]
            let item = rest[(semicolon + 1)...].prefix { $0 != UInt8(ascii: ";") && !Self.isSlash($0) }
            result += redactedItem(item).utf8
            rest = rest[item.endIndex...]
        }
        return (result + rest)[...]
    }

    private func redactedItems(_ bytes: some Collection<UInt8>) -> String {
        var result = ""
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(where: Self.isSeparator) ?? rest.endIndex
            result += redactedItem(rest[..<end])
            if end < rest.endIndex { result += Self.text(rest[end...end]) }
            rest = rest[min(end + 1, rest.endIndex)...]
        }
        return result
    }

    private func redactedItem(_ item: ArraySlice<UInt8>) -> String {
        guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return Self.text(item) }
        let name = Self.text(item[...equals])
        let value = Self.text(item[(equals + 1)...])
        let decoded = PercentEncoding.decode(value, plusIsSpace: true)
        if isSensitive(queryName: item[..<equals]) {
            let written = PercentEncoding.decode(Self.text(item[..<equals]), plusIsSpace: true)
            return isCount(decoded, named: written) ? name + value : name + hidden(decoded)
        }
        if Self.mayBeJSON(decoded.utf8), let redacted = redactedText(decoded) {
            return name + PercentEncoding.encode(redacted)
        }
        guard let url = Self.url(in: value) else { return name + value }
        let redacted = redact(url: url)
        return name + (redacted == url ? value : PercentEncoding.encode(redacted))
    }

    /// Returns the URL in a value, relative or absolute, plain or encoded up to three times; it may contain secrets
    /// too.
    private static func url(in value: String) -> String? {
        var text = value
        for _ in 0..<3 where !isURL(text) {
            guard text.contains("%") else { return nil }
            text = PercentEncoding.decode(text, plusIsSpace: true)
        }
        return isURL(text) ? text : nil
    }

    /// True for an absolute URL, and for a text with a query, a fragment or parameters with values.
    private static func isURL(_ text: String) -> Bool {
        text.contains("://") || text.utf8.contains(UInt8(ascii: "=")) && text.utf8.contains { "?#;".utf8.contains($0) }
    }

    /// True if a text starts like a JSON object or array.
    static func mayBeJSON(_ text: some Sequence<UInt8>) -> Bool {
        let start = text.first { $0 > 32 }
        return start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
    }

    private static func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
