#if Tools
internal import NetCore

/// A text in lines of the terminal: all of it, or the beginning.
struct Excerpt {
    /// So many bytes are read for a beginning; the lines of what is longer aren't counted.
    private static let maximumBytes = 64 << 10

    let lines: [Substring]
    /// What is said after them; nil if nothing is missing.
    let rest: String?

    /// - Parameters:
    ///   - text: The text; its line breaks stay.
    ///   - width: The columns of a line.
    ///   - maximumLines: How many lines there are at most; nil for all.
    init(_ text: String, width: Int, maximumLines: Int?) {
        let isRead = maximumLines == nil || text.utf8.count <= Self.maximumBytes
        let read =
            isRead ? text[...] : text[..<text.unicodeScalars.index(text.startIndex, offsetBy: Self.maximumBytes / 4)]
        let wrapped = read.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            .flatMap { Output.wrap(TerminalText.clean(String($0)), to: width) }
        lines = Array(wrapped.prefix(maximumLines ?? .max))
        if !isRead {
            rest = "… and more of \(TerminalText.bytes(Int64(text.utf8.count))): --all shows it"
        } else {
            rest = lines.count < wrapped.count ? "… \(wrapped.count - lines.count) more lines: --all shows them" : nil
        }
    }
}
#endif
