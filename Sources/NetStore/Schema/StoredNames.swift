/// The columns that contain numbers of names.
enum StoredNames {
    static let columns = [
        "net_item": [
            "method", "operation", "name", "tags", "host", "error", "phase", "cache", "cache_reason", "request_type",
            "response_type", "version", "remote",
        ],
        "net_attempt": ["method", "error", "phase", "version", "remote", "retry_reason"],
        "net_job_attempt": ["error", "phase"],
    ]

    /// A query of the numbers of all names in use.
    static let used = columns.sorted { $0.key < $1.key }.flatMap { table, columns in
        columns.map { "SELECT \($0) AS name FROM \(table) WHERE \($0) IS NOT NULL" }
    }.joined(separator: " UNION ")
}
