#if Server
internal import NetCore
internal import NetOpenAPI

/// The base paths of a document's servers. Scheme and host are irrelevant on a test server.
struct ServerPaths {
    let document: [String]

    init(_ root: Node) {
        document = Self.paths(root)
    }

    /// The prefixes that an operation's paths may have: the base paths of the servers of the operation, of its path
    /// item and of the document. One loopback address replaces all hosts.
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

    /// Returns the path of an absolute or relative URL, without a trailing slash.
    private static func path(of url: String) -> String {
        var path = URLReference(url).resolved(against: URLReference("http://server/")).path[...]
        while path.last == "/" { path.removeLast() }
        return String(path)
    }
}
#endif
