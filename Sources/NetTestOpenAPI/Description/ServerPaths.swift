#if Server
internal import NetOpenAPI

/// The base paths of a document's servers. Scheme and host mean nothing on a test server.
struct ServerPaths {
    let document: [String]

    init(_ root: Node) {
        document = Self.paths(root)
    }

    /// What may stand before the paths of an operation: the base paths of its own servers, of its path's and of the
    /// document's. One loopback address stands for all hosts.
    func prefixes(_ item: Node, _ operation: Node) -> [String] {
        var found: [String] = []
        for path in Self.paths(operation) + Self.paths(item) + document where !found.contains(path) {
            found.append(path)
        }
        return found.isEmpty ? [""] : found
    }

    private static func paths(_ node: Node) -> [String] {
        (node["servers"]?.elements ?? []).compactMap { server in
            guard var url = server["url"]?.text else { return nil }
            for variable in server["variables"]?.members ?? [] {
                guard let value = variable.value["default"]?.text else { continue }
                url = url.split(separator: "{\(variable.key)}", omittingEmptySubsequences: false).joined(
                    separator: value)
            }
            return path(of: url)
        }
    }

    /// The path of a URL, absolute or relative, without a slash at its end.
    private static func path(of url: String) -> String {
        var rest = url.prefix { $0 != "?" && $0 != "#" }
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
            rest = rest[rest.index(colon, offsetBy: 3)...]
            rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
        } else if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
        } else if !rest.hasPrefix("/") {
            rest = rest.drop { $0 == "." }
            if !rest.isEmpty, !rest.hasPrefix("/") { rest = "/" + rest }
        }
        while rest.last == "/" { rest.removeLast() }
        return String(rest)
    }
}
#endif
