#if Tools
internal import NetStore

/// One entry of a report with everything that is known of it.
struct ReportEntry {
    var item: StoredItem
    var attempts: [StoredAttempt] = []
    var exchanges: [StoredExchange] = []
    var messages: [StoredMessage] = []
    /// True for one that isn't in the list: it belongs to another one, and isn't meant by the filter.
    var isHidden = false

    init(_ item: StoredItem) { self.item = item }

    init(_ detail: StoredDetail) {
        item = detail.item
        attempts = detail.attempts
        exchanges = detail.exchanges
    }
}
#endif
