extension RedactionPolicy {
    /// The key for marks, which show that two hidden secrets are equal (``RedactionPolicy/markKey``).
    ///
    /// Never write it to a file: with the key, a secret with few possible values, such as a PIN, can be found by
    /// trying them all. An attacker who can make a program send chosen values, and can read the marks, can test
    /// guesses without the key.
    public struct MarkKey: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        private let first, second: UInt64

        /// Creates a random key.
        public init(random: NetRandom = .system) {
            first = random.next()
            second = random.next()
        }

        /// Creates a key from 16 bytes; nil for any other number of bytes.
        public init?(_ bytes: some Collection<UInt8>) {
            guard bytes.count == 16 else { return nil }
            let words = Array(bytes)
            func word(_ start: Int) -> UInt64 { (0..<8).reduce(0) { $0 | UInt64(words[start + $1]) << UInt64(8 * $1) } }
            first = word(0)
            second = word(8)
        }

        /// The random key of this process, shared by all users until the process ends.
        public static let process = MarkKey()

        /// Returns eight hexadecimal digits: the first 32 bits of the secret's SipHash-2-4.
        func mark(_ secret: some Sequence<UInt8>) -> String {
            UInt32(SipHash.hash(secret, first, second) >> 32).paddedHexadecimal
        }

        /// A fixed text without the key.
        public var description: String { "MarkKey" }
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// Returns the replacement of a secret: ``placeholder``, with the secret's mark if there is a key. A secret that
    /// is already hidden is returned unchanged.
    package func hidden(_ secret: some StringProtocol) -> String {
        guard let markKey else { return placeholder }
        if isHidden(secret) { return String(secret) }
        return marked(markKey.mark(secret.utf8))
    }

    /// Returns the replacement of a secret given as bytes.
    func hidden(_ secret: some Collection<UInt8>) -> [UInt8] {
        guard markKey != nil else { return Array(placeholder.utf8) }
        return Array(hidden(String(decoding: secret, as: UTF8.self)).utf8)
    }

    /// Returns the replacement of a secret header value. In `Authorization`, the mark covers the credentials without
    /// the scheme, so it equals the mark of the same token elsewhere.
    func hidden(header value: String, named name: String) -> String {
        guard markKey != nil, name == "authorization" || name == "proxy-authorization",
            let space = value.firstIndex(of: " ")
        else { return hidden(value) }
        return hidden(value[space...].drop { $0 == " " })
    }

    /// The policy without a key, for comparisons with a file.
    package var withoutMarks: RedactionPolicy {
        var policy = self
        policy.markKey = nil
        return policy
    }

    /// Returns true if a text is the replacement of a secret.
    package func isHidden(_ text: some StringProtocol) -> Bool {
        if text == placeholder { return true }
        let (start, end) = markedParts
        guard text.utf8.count == start.utf8.count + 8 + end.utf8.count, text.hasPrefix(start), text.hasSuffix(end)
        else { return false }
        return text.utf8.dropFirst(start.utf8.count).prefix(8).allSatisfy {
            (48...57).contains($0) || (97...102).contains($0)
        }
    }

    private func marked(_ mark: String) -> String {
        let (start, end) = markedParts
        return start + mark + end
    }

    /// `<redacted:` and `>`.
    var markedParts: (start: String, end: String) {
        placeholder.hasSuffix(">") ? (placeholder.dropLast() + ":", ">") : (placeholder + ":", "")
    }
}
