internal import NetCore

/// The host and path of a URL, for the columns to group by.
package struct StoredURL {
    /// The host and port in lowercase, without user and password; empty if there are none.
    let host: String
    /// The path without query and fragment; `/` if it's empty. The text itself if it isn't a URL.
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

    /// Returns the host and port of a URL in lowercase; nil if there are none.
    package static func host(of url: String) -> String? {
        if let host = plainHost(of: url) { return host }
        let host = StoredURL(url).host
        return host.isEmpty ? nil : host
    }

    /// Returns the host of an `http://host/…` or `https://host/…` URL that is already in lowercase: nearly every URL,
    /// for which parsing is unnecessary. Nil for any other form.
    private static func plainHost(of url: String) -> String? {
        let bytes = url.utf8
        var index = bytes.startIndex
        for byte in "http".utf8 {
            guard index < bytes.endIndex, bytes[index] == byte else { return nil }
            index = bytes.index(after: index)
        }
        if index < bytes.endIndex, bytes[index] == UInt8(ascii: "s") { index = bytes.index(after: index) }
        for byte in "://".utf8 {
            guard index < bytes.endIndex, bytes[index] == byte else { return nil }
            index = bytes.index(after: index)
        }
        let start = index
        scan: while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break scan
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "-"), UInt8(ascii: ":"):
                index = bytes.index(after: index)
            default: return nil
            }
        }
        return index > start ? String(url[start..<index]) : nil
    }
}
