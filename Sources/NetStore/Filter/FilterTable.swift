/// The tables whose rows a filter is asked of.
enum FilterTable: Sendable {
    /// `net_item`: what has ended.
    case items
    /// `net_open`: what is under way. It has no captures and no notes, and fewer columns; what it lacks matches nothing, as a
    /// value that is nil does.
    case open

    /// Whether its rows have this column.
    func has(_ column: String) -> Bool {
        switch self {
        case .items: true
        case .open: Self.openColumns.contains(column)
        }
    }

    private static let openColumns: Set<String> = [
        "uid", "kind", "run", "started_at", "method", "operation", "tags", "host", "url", "status", "request_bytes",
        "response_bytes",
    ]
}
