#if Tools
internal import NetCore
internal import NetStore

extension ReportBuilder {
    /// Adds the entries that match the filter, newest first; the array is oldest first.
    mutating func add(_ entries: [ReportEntry], matching filter: ActivityFilter, limit: Int) {
        let found = entries.reversed().filter { filter.matches($0.item, content: $0.content, now: list.now) }
        for entry in found.prefix(limit) { add(entry) }
        list.omitted = max(0, found.count - limit)
    }
}

extension ReportEntry {
    /// The headers and bodies for filter terms.
    var content: FilterContent {
        FilterContent(
            headers: { [exchanges] side in
                let fields = exchanges.flatMap {
                    side == .request ? $0.requestHeaders : $0.responseHeaders + $0.trailers
                }
                return fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
            },
            bodies: { [exchanges, messages] side in
                let bodies = exchanges.compactMap { (side == .request ? $0.request : $0.response)?.bytes }
                let said = messages.filter { $0.isSent == (side == .request) }
                return bodies + said.compactMap { $0.text.map { Bytes($0.utf8) } ?? $0.bytes }
            })
    }
}
#endif
