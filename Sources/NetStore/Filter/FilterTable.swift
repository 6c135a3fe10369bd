/// The tables that can be filtered.
enum FilterTable: Sendable {
    /// `net_item`: entries that have ended.
    case items
    /// `net_open`: entries under way. It has fewer columns, no captures and no notes; a term about a missing column matches
    /// nothing, as by value it doesn't match nil.
    case open

    /// Returns true if the rows have this column.
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
