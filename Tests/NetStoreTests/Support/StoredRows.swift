import NetCore

@testable import NetStore

extension SQLiteConnection {
    /// Creates a file with the tables of a store.
    convenience init(withTablesAt path: String) throws {
        try self.init(at: path)
        try StoreSchema.migrator.migrate(self)
        try addFilterFunctions()
    }

    /// Returns the rows of a table without NULL values: bytes in hexadecimal, and the texts of numbered names.
    func stored(
        _ table: String, _ columns: [String], names: Set<String> = [], rest: String = ""
    ) throws -> [[String: String]] {
        let values = columns.map { column in
            names.contains(column)
                ? "(SELECT text FROM net_name WHERE id = t.\(column))"
                : "CASE typeof(t.\(column)) WHEN 'blob' THEN hex(t.\(column)) ELSE CAST(t.\(column) AS TEXT) END"
        }
        var rows: [[String: String]] = []
        try query("SELECT \(values.joined(separator: ", ")) FROM \(table) AS t\(rest)") { row throws(StoreError) in
            var found: [String: String] = [:]
            for (index, column) in columns.enumerated() { found[column] = row.text(Int32(index)) }
            rows.append(found)
        }
        return rows
    }

    /// Returns the texts of the first column.
    func texts(_ sql: String) throws -> [String?] {
        var texts: [String?] = []
        try query(sql) { row throws(StoreError) in texts.append(row.text(0)) }
        return texts
    }
}

extension CallID {
    /// In the form of SQLite's `hex()`.
    var hex: String { description.uppercased().filter { $0 != "-" } }
}
