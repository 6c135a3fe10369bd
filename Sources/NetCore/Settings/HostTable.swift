/// Values by host. An exact name takes precedence over `*.example.com`, a longer such pattern over a shorter one, and
/// `*` is for all other hosts.
package struct HostTable<Value: Sendable>: Sendable {
    private var exact: [String: Value] = [:]
    /// The values by suffix, `.example.com`, longest first.
    private var suffixes: [(suffix: String, value: Value)] = []
    private var other: Value?

    package init(_ rules: [(pattern: String, value: Value)]) {
        for (pattern, value) in rules {
            let pattern = pattern.lowercased()
            if pattern == "*" {
                other = value
            } else if pattern.hasPrefix("*.") {
                // Hosts are compared without the trailing dot of the root.
                suffixes.append((String(pattern.dropFirst().dropLast(pattern.last == "." ? 1 : 0)), value))
            } else {
                // An IPv6 address may be given without its brackets.
                let isBare = pattern.first != "[" && pattern.contains("::")
                exact[isBare ? pattern : Authority(pattern).name] = value
            }
        }
        suffixes.sort { $0.suffix.utf8.count > $1.suffix.utf8.count }
    }

    package var isEmpty: Bool { exact.isEmpty && suffixes.isEmpty && other == nil }

    package var values: [Value] { Array(exact.values) + suffixes.map(\.value) + (other.map { [$0] } ?? []) }

    /// Returns the value for a host, which must be in lowercase and without brackets, like ``Authority/name``.
    package func value(for host: String) -> Value? {
        if let value = exact[host] { return value }
        return suffixes.first { host.hasSuffix($0.suffix) && host.utf8.count > $0.suffix.utf8.count }?.value ?? other
    }

    /// Returns true if a text is a valid pattern.
    package static func isPattern(_ text: String) -> Bool {
        if text == "*" { return true }
        let name = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
        if name.contains("*") { return false }
        guard let parsed = HostAndPort(name) else { return name.contains("::") && HostAndPort("[\(name)]") != nil }
        return parsed.port == nil
    }
}
