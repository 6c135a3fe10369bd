/// Values by host: exact names before `*.example.com`, the longest of those first, and `*` for all others.
package struct HostTable<Value: Sendable>: Sendable {
    private var exact: [String: Value] = [:]
    /// `.example.com`, longest first.
    private var suffixes: [(suffix: String, value: Value)] = []
    private var other: Value?

    package init(_ rules: [(pattern: String, value: Value)]) {
        for (pattern, value) in rules {
            let pattern = pattern.lowercased()
            if pattern == "*" {
                other = value
            } else if pattern.hasPrefix("*.") {
                // Hosts are compared without the dot of the root.
                suffixes.append((String(pattern.dropFirst().dropLast(pattern.last == "." ? 1 : 0)), value))
            } else {
                // An IPv6 address may stand there without its brackets.
                let isBare = pattern.first != "[" && pattern.contains("::")
                exact[isBare ? pattern : Authority(pattern).name] = value
            }
        }
        suffixes.sort { $0.suffix.utf8.count > $1.suffix.utf8.count }
    }

    package var isEmpty: Bool { exact.isEmpty && suffixes.isEmpty && other == nil }

    package var values: [Value] { Array(exact.values) + suffixes.map(\.value) + (other.map { [$0] } ?? []) }

    /// What counts for a host in lower case, without brackets; see ``HostAndPort/key(ofHostIn:)``.
    package func value(for host: String) -> Value? {
        if let value = exact[host] { return value }
        return suffixes.first { host.hasSuffix($0.suffix) && host.utf8.count > $0.suffix.utf8.count }?.value ?? other
    }

    /// Whether a text can be a pattern.
    package static func isPattern(_ text: String) -> Bool {
        if text == "*" { return true }
        let name = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
        if name.contains("*") { return false }
        guard let parsed = HostAndPort(name) else { return name.contains("::") && HostAndPort("[\(name)]") != nil }
        return parsed.port == nil
    }
}
