internal import NetCore

/// The host and path of a URL, for the columns that people group by.
struct StoredURL {
    /// The host and port in lowercase, without user and password; empty if there is none.
    let host: String
    /// The path without query and fragment; `/` if it's empty.
    let path: String

    init(_ url: String) {
        let reference = URLReference(url)
        host = reference.authority.map { Authority($0).hostAndPort.lowercased() } ?? ""
        path = reference.path.isEmpty ? "/" : reference.path
    }
}
