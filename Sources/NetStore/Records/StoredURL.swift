/// Host and path of a URL's text, for the columns people group by.
struct StoredURL {
    /// Host and port, lower-cased, without user and password; empty where there is none.
    let host: String
    /// The path without query and fragment; `/` where it is empty.
    let path: String

    init(_ url: String) {
        var rest = url[...]
        guard let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") else {
            host = ""
            path = Self.path(rest)
            return
        }
        rest = rest[rest.index(colon, offsetBy: 3)...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let authority = rest[..<end]
        let start = authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex
        host = authority[start...].lowercased()
        path = Self.path(rest[end...])
    }

    private static func path(_ text: Substring) -> String {
        let path = text.prefix { $0 != "?" && $0 != "#" }
        return path.isEmpty ? "/" : String(path)
    }
}
