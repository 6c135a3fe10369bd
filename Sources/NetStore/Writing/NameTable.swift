/// The numbers of texts shared by many rows, with known ones cached in memory.
///
/// Call ``forget()`` after a transaction was rolled back: the numbers assigned in it don't exist.
final class NameTable {
    /// The maximum number of texts in memory; beyond it, the cache is cleared.
    static let maximumCount = 4096

    private var known: [String: Int64] = [:]
    /// The number of times that the whole store was deleted: numbers from before are invalid.
    private var deletions: Int64?
    private let insert, find, state: SQLiteStatement
    private let path: String

    init(on connection: SQLiteConnection) throws(StoreError) {
        insert = try connection.prepare("INSERT INTO net_name (text) VALUES (?) ON CONFLICT (text) DO NOTHING")
        find = try connection.prepare("SELECT id FROM net_name WHERE text = ?")
        state = try connection.prepare("SELECT deletions FROM net_total")
        path = connection.path
    }

    /// Begins a transaction: forgets the numbers if the store's contents were deleted since the last one.
    func begin() throws(StoreError) {
        var now: Int64?
        try state.rows { row throws(StoreError) in now = row.integer(0) }
        if now != deletions { forget() }
        deletions = now
    }

    /// Returns the number of a text, inserting it if necessary; nil for nil. Must be called inside a transaction.
    func id(_ text: String?) throws(StoreError) -> Int64? {
        guard let text else { return nil }
        if let id = known[text] { return id }
        // Another process may have inserted it, or this one before ``forget()``.
        var id = try lookUp(text)
        if id == nil {
            insert.set(1, text)
            try insert.run()
            id = try lookUp(text)
        }
        guard let id else {
            throw StoreError(.corrupt, message: "a name that was inserted isn't there", path: path)
        }
        if known.count >= Self.maximumCount { known.removeAll(keepingCapacity: true) }
        known[text] = id
        return id
    }

    /// Forgets all numbers.
    func forget() { known.removeAll(keepingCapacity: true) }

    private func lookUp(_ text: String) throws(StoreError) -> Int64? {
        var id: Int64?
        find.set(1, text)
        try find.rows { row throws(StoreError) in id = row.integer(0) }
        return id
    }
}
