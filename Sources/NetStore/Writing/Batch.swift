/// The rows of one transaction, decided before it begins, so that it can be tried again.
struct Batch {
    /// Entries of the queue that it stands for.
    var count = 0
    /// Entries that have ended.
    var items: [ItemDraft] = []
    var captures: [CaptureRow] = []
    var messages: [MessageRow] = []
    /// Entries under way whose rows are written, or written anew.
    var opened: [ItemDraft] = []

    var isEmpty: Bool { items.isEmpty && captures.isEmpty && messages.isEmpty && opened.isEmpty && count == 0 }

    /// Its rows, each in a batch of its own: for a transaction in which the database refused a row.
    var pieces: [Batch] {
        items.map { Batch(items: [$0]) } + captures.map { Batch(captures: [$0]) }
            + messages.map { Batch(messages: [$0]) } + opened.map { Batch(opened: [$0]) }
    }
}
