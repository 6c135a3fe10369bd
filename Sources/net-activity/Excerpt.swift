#if Tools
internal import NetCore

/// A text wrapped into terminal lines: all of it, or the beginning.
struct Excerpt {
    /// The maximum size of a text whose lines are counted; of a longer one, only the beginning is read.
    private static let maximumBytes = 64 << 10

    let lines: [Substring]
    /// A note on the missing rest; nil if nothing is missing.
    let rest: String?

    /// - Parameters:
    ///   - text: The text; its line breaks are kept.
    ///   - width: The maximum width of a line in columns.
    ///   - maximumLines: The maximum number of lines; nil for no limit.
    init(_ text: String, width: Int, maximumLines: Int?) {
        let isRead = maximumLines == nil || text.utf8.count <= Self.maximumBytes
        let read =
            isRead ? text[...] : text[..<text.unicodeScalars.index(text.startIndex, offsetBy: Self.maximumBytes / 4)]
        let wrapped = read.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            .flatMap { Output.wrap(TerminalText.clean(String($0)), to: width) }
        lines = Array(wrapped.prefix(maximumLines ?? .max))
        if !isRead {
            rest = "… and more, \(TerminalText.bytes(Int64(text.utf8.count))) in total: --all shows it"
        } else {
            rest = lines.count < wrapped.count ? "… \(wrapped.count - lines.count) more lines: --all shows them" : nil
        }
    }
}
#endif
