#if Tools
internal import NetStore

/// URLs that contained a secret.
enum SecretsInURLs: DoctorRule {
    static let name = "secrets-in-urls"

    static func findings(in examination: Examination) -> [Finding] {
        let groups = examination.groups { $0.url.contains("<redacted") ? $0.endpoint : nil }
        return groups.map { endpoint, calls in
            let names = Set(calls.flatMap { hiddenItems(of: $0.url) }).sorted()
            return Finding(
                name, .warning, "\(endpoint.name) has a secret in its URL",
                """
                \(Figures.counted(calls.count, "call"))\
                \(names.isEmpty ? "" : ", in \(names.joined(separator: ", "))"). It is hidden here, but not in the logs of \
                servers and proxies, nor in a Referer.
                """,
                advice: "Send it in a header: AuthMiddleware, or Credential.apiKey.",
                filter: endpoint.filter & .url(ActivityFilter.literal("<redacted")), calls: calls)
        }
    }

    /// Returns the names of query items with hidden values.
    private static func hiddenItems(of url: String) -> [String] {
        guard let query = url.split(separator: "?", maxSplits: 1).dropFirst().first else { return [] }
        return query.split { $0 == "&" || $0 == ";" || $0 == "#" }.compactMap { item in
            guard let range = item.firstRange(of: "=<redacted") else { return nil }
            return String(item[..<range.lowerBound])
        }
    }
}
#endif
