/// The parts of the text of a `$ref`.
struct ReferenceText {
    /// The location of the target.
    enum Place {
        /// In the file that holds the reference.
        case sameFile
        /// In the file at this path, relative to the file that contains the reference.
        case file(String)
        /// At a URL with a scheme or host; the text without its fragment.
        case url(String)
        /// At an absolute path.
        case absolutePath(String)
    }

    let place: Place
    /// The part after `#`, percent-decoded; empty for the whole file.
    let fragment: String

    init(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let file = parts.first ?? ""
        self.fragment = parts.count > 1 ? PercentDecoding.decoded(parts[1]) : ""
        if file.isEmpty {
            self.place = .sameFile
        } else if file.hasPrefix("//") || Self.hasScheme(file) {
            self.place = .url(file)
        } else if file.hasPrefix("/") || file.hasPrefix("\\") {
            self.place = .absolutePath(file)
        } else {
            self.place = .file(PercentDecoding.decoded(file))
        }
    }

    /// Returns true if the text has a scheme (RFC 3986, section 3.1): a letter, then letters, digits, `+`, `-` and `.`,
    /// then `:`.
    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text.utf8[..<colon]
        guard let first = scheme.first, isLetter(first) else { return false }
        return scheme.allSatisfy { byte in
            isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
