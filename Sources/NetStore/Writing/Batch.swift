/// The rows of one transaction, decided before it begins, so that it can be retried.
struct Batch {
    /// The number of queue entries that the batch covers.
    var count = 0
    /// The entries that have ended.
    var items: [ItemDraft] = []
    var captures: [CaptureRow] = []
    var messages: [MessageRow] = []
    /// The entries under way whose rows are inserted or updated.
    var opened: [ItemDraft] = []

    var isEmpty: Bool { items.isEmpty && captures.isEmpty && messages.isEmpty && opened.isEmpty && count == 0 }

    /// The rows as separate batches, for retrying a transaction in which the database refused a row.
    var pieces: [Batch] {
        items.map { Batch(items: [$0]) } + captures.map { Batch(captures: [$0]) }
            + messages.map { Batch(messages: [$0]) } + opened.map { Batch(opened: [$0]) }
    }
}
