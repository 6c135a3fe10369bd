#if Tools
internal import NetStore

/// An entry of a report with all its data.
struct ReportEntry {
    var item: StoredItem
    var attempts: [StoredAttempt] = []
    var exchanges: [StoredExchange] = []
    var messages: [StoredMessage] = []
    /// True if the entry isn't in the list: it belongs to another one but doesn't match the filter.
    var isHidden = false

    init(_ item: StoredItem) { self.item = item }

    init(_ detail: StoredDetail) {
        item = detail.item
        // The attempts of a job are calls, which have entries of their own.
        if detail.item.kind == .call { attempts = detail.attempts }
        exchanges = detail.exchanges
    }
}
#endif
