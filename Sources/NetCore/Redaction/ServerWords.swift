/// Redacts and cuts texts from a server, so that they can be part of a message.
package enum ServerWords {
    private static let policy = {
        var policy = RedactionPolicy.safeDefault
        policy.pathRules = [.credentials]
        return policy
    }()

    /// Returns the text in visible characters, truncated to `limit`, without values of secret names and without
    /// credentials.
    package static func shown(_ text: String, limit: Int = 300) -> String {
        let bytes = Array(text.utf8)
        let open = String(decoding: policy.edits(in: bytes, contentType: nil).applied(to: bytes), as: UTF8.self)
        let visible = String(
            String.UnicodeScalarView(open.unicodeScalars.map { TerminalText.steers($0) ? " " : $0 }))
        let words = visible.split(separator: " ", omittingEmptySubsequences: false).map { word(String($0)) }
        let shown = words.joined(separator: " ")
        return shown.count <= limit ? shown : shown.prefix(limit) + "…"
    }

    /// Redacts one word: a URL, a pair such as `token=x`, or a credential within quotes and other marks.
    private static func word(_ text: String) -> String {
        let url = policy.redact(url: text)
        let items = policy.redact(url: "?" + url).dropFirst()
        return items.split(omittingEmptySubsequences: false) { "\"'()<>[]{},;:".contains($0) }
            .reduce(String(items)) { whole, part in
                let bare = part.last == "." ? String(part.dropLast()) : String(part)
                return policy.redact(url: bare) == policy.placeholder
                    ? whole.replacing(bare, with: policy.placeholder) : whole
            }
    }
}
