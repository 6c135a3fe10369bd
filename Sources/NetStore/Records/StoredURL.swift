internal import NetCore

/// The host and path of a URL, for the columns that people group by.
struct StoredURL {
    /// The host and port in lowercase, without user and password; empty if there is none.
    let host: String
    /// The path without query and fragment; `/` if it's empty. For text that isn't a URL, that text.
    let path: String

    init(_ url: String) {
        let reference = URLReference(url)
        guard reference.scheme != nil, let authority = reference.authority else {
            host = ""
            let path = url.prefix { $0 != "?" && $0 != "#" }
            self.path = path.isEmpty ? "/" : String(path)
            return
        }
        host = Authority(authority).hostAndPort.lowercased()
        path = reference.path.isEmpty ? "/" : reference.path
    }
}
