/// The numbers of texts that many rows share, with the known ones in memory.
///
/// After a transaction that was undone, ``forget()`` must be called: the numbers that it gave away don't exist.
final class NameTable {
    /// The most texts kept in memory; beyond them, all are looked up anew.
    static let maximumCount = 4096

    private var known: [String: Int64] = [:]
    /// How often everything was deleted: the numbers of before don't count any more.
    private var deletions: Int64?
    private let insert, find, state: SQLiteStatement
    private let path: String

    init(on connection: SQLiteConnection) throws(StoreError) {
        insert = try connection.prepare("INSERT INTO net_name (text) VALUES (?) ON CONFLICT (text) DO NOTHING")
        find = try connection.prepare("SELECT id FROM net_name WHERE text = ?")
        state = try connection.prepare("SELECT deletions FROM net_total")
        path = connection.path
    }

    /// Begins a transaction: forgets the numbers if anybody has deleted all names since the last one.
    func begin() throws(StoreError) {
        var now: Int64?
        try state.rows { row throws(StoreError) in now = row.integer(0) }
        if now != deletions { forget() }
        deletions = now
    }

    /// Returns the number of a text, which is given one if it has none; nil for nil. Must be called inside a transaction.
    func id(_ text: String?) throws(StoreError) -> Int64? {
        guard let text else { return nil }
        if let id = known[text] { return id }
        // Another process may have inserted it, or this one before it forgot.
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
