extension RedactionPolicy {
    /// The key of marks, by which equal secrets compare equal without being shown (``RedactionPolicy/markKey``).
    ///
    /// Never write it to a file: with it, a secret of few possible values, such as a PIN, is found by trying them all.
    /// Whoever can make a program send values of their choice, and read the marks, can test guesses without it.
    public struct MarkKey: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        private let first, second: UInt64

        /// Creates a random key.
        public init(random: NetRandom = .system) {
            first = random.next()
            second = random.next()
        }

        /// Creates a key of 16 bytes; nil for any other number of them.
        public init?(_ bytes: some Collection<UInt8>) {
            guard bytes.count == 16 else { return nil }
            let words = Array(bytes)
            func word(_ start: Int) -> UInt64 { (0..<8).reduce(0) { $0 | UInt64(words[start + $1]) << UInt64(8 * $1) } }
            first = word(0)
            second = word(8)
        }

        /// The key of this process: random, and the same for all who use it until the process ends.
        public static let process = MarkKey()

        /// Eight hexadecimal digits: the first 32 bits of the secret's SipHash-2-4.
        func mark(_ secret: some Sequence<UInt8>) -> String {
            UInt32(SipHash.hash(secret, first, second) >> 32).paddedHexadecimal
        }

        /// A text without the key.
        public var description: String { "MarkKey" }
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// The text in place of a secret: ``placeholder``, with the secret's mark if there is a key. What is hidden already
    /// stays as it is.
    package func hidden(_ secret: some StringProtocol) -> String {
        guard let markKey else { return placeholder }
        if isHidden(secret) { return String(secret) }
        return marked(markKey.mark(secret.utf8))
    }

    /// The same for bytes.
    func hidden(_ secret: some Collection<UInt8>) -> [UInt8] {
        guard markKey != nil else { return Array(placeholder.utf8) }
        return Array(hidden(String(decoding: secret, as: UTF8.self)).utf8)
    }

    /// The value of a header field in place of a secret one: in `Authorization`, the mark is the credential's without its
    /// scheme, so that it equals that of the same token elsewhere.
    func hidden(header value: String, named name: String) -> String {
        guard markKey != nil, name == "authorization" || name == "proxy-authorization",
            let space = value.firstIndex(of: " ")
        else { return hidden(value) }
        return hidden(value[space...].drop { $0 == " " })
    }

    /// The policy without a key, for what is compared with a file.
    package var withoutMarks: RedactionPolicy {
        var policy = self
        policy.markKey = nil
        return policy
    }

    /// Returns whether a text is what stands in place of a secret.
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
