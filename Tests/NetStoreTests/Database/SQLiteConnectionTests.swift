import CSQLite
import Foundation
import NetCore
import Testing

@testable import NetStore

/// Connections, statements and rows.
@Suite struct SQLiteConnectionTests {
    private let folder: TemporaryFolder
    private let connection: SQLiteConnection

    init() throws {
        folder = try TemporaryFolder()
        connection = try SQLiteConnection(at: folder.file())
    }

    @Test(arguments: [
        (Duration.zero, 0), (.milliseconds(20), 20), (.seconds(5), 5000), (.seconds(-1), 0),
        (.seconds(Int64.max / 1000), Int(Int32.max)), (.microseconds(1999), 1),
    ])
    func aLockIsWaitedForAsLongAsIsWished(time: Duration, milliseconds: Int) throws {
        let connection = try SQLiteConnection(path: folder.file(), access: .readWrite, busyTimeout: time)
        #expect(try connection.integer("PRAGMA busy_timeout") == Int64(milliseconds))
    }

    @Test func aConnectionThatIsTakenOverKeepsItsTimeOutAndTellsExtendedCodes() throws {
        let database = try AppDatabase.open(folder.file())
        sqlite3_busy_timeout(database, 1234)
        let adopted = try SQLiteConnection(adopting: database, path: "app", busyTimeout: nil, isOwned: false)
        #expect(try adopted.integer("PRAGMA busy_timeout") == 1234)
        try adopted.execute("CREATE TABLE a (x UNIQUE); INSERT INTO a VALUES (1)")
        let error = #expect(throws: StoreError.self) { try adopted.run("INSERT INTO a VALUES (1)") }
        #expect(error?.code == .invalidRow)
        #expect(error?.sqliteCode == SQLITE_CONSTRAINT | (8 << 8))
        #expect(error?.path == "app")
        #expect(error?.message.contains("could not read or write the database") == true)
        adopted.close()
        try AppDatabase.execute("INSERT INTO a VALUES (2)", on: database)
        AppDatabase.close(database)
    }

    @Test func readersReadOnly() throws {
        try connection.execute("CREATE TABLE a (x); INSERT INTO a VALUES (3)")
        #expect(!connection.isReadOnly)
        for access in [SQLiteConnection.Access.readOnly, .immutable] {
            let reader = try SQLiteConnection(path: folder.file(), access: access, busyTimeout: .zero)
            #expect(reader.isReadOnly)
            #expect(try reader.integer("SELECT x FROM a") == 3)
            let error = #expect(throws: StoreError.self) { try reader.execute("INSERT INTO a VALUES (1)") }
            #expect(error?.code == .permission)
        }
    }

    @Test(arguments: ["a?b#c%d", "tab\tline\n", "\u{1}\u{f}\u{10}\u{1f}", "größe", "plain-name_1.sqlite", "A:B;@"])
    func anyNameIsFoundByAReaderWithoutALog(name: String) throws {
        let path = folder.file(name)
        try SQLiteConnection(at: path).execute("CREATE TABLE a (x); INSERT INTO a VALUES (4)")
        let reader = try SQLiteConnection(path: path, access: .immutable, busyTimeout: .zero)
        #expect(try reader.integer("SELECT x FROM a") == 4)
    }

    @Test func anErrorOfOpeningHasThePathAndTheCode() throws {
        let error = #expect(throws: StoreError.self) {
            try SQLiteConnection(path: folder.file("none"), access: .readOnly, busyTimeout: .zero)
        }
        #expect(error?.code == .notFound)
        #expect(error?.path == folder.file("none"))
        #expect(error?.message.hasPrefix("could not open the database: ") == true)
        #expect(error.flatMap { $0.sqliteCode.map { $0 & 0xff } } == SQLITE_CANTOPEN)
    }

    @Test func aTransactionIsWholeOrNotThere() throws {
        try connection.execute("CREATE TABLE a (x UNIQUE)")
        let value = try connection.transaction { () throws(StoreError) -> Int in
            try connection.run("INSERT INTO a VALUES (?)", [.integer(1)])
            #expect(connection.changes == 1)
            #expect(connection.lastInsertedRow == 1)
            return 7
        }
        #expect(value == 7)
        #expect(sqlite3_get_autocommit(connection.handle) == 1)
        let error = #expect(throws: StoreError.self) {
            try connection.transaction { () throws(StoreError) in
                try connection.run("INSERT INTO a VALUES (?)", [.integer(2)])
                try connection.run("INSERT INTO a VALUES (?)", [.integer(1)])
            }
        }
        #expect(error?.code == .invalidRow)
        #expect(sqlite3_get_autocommit(connection.handle) == 1)
        #expect(try connection.texts("SELECT x FROM a") == ["1"])
        let other = try SQLiteConnection(path: folder.file(), access: .readWrite, busyTimeout: .zero)
        try connection.transaction { () throws(StoreError) in
            let locked = #expect(throws: StoreError.self) { try other.run("INSERT INTO a VALUES (3)") }
            #expect(locked?.code == .locked, "it locks from its beginning")
        }
        try other.run("INSERT INTO a VALUES (3)")
    }

    @Test func aSnapshotStaysAsItWas() throws {
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE a (x)")
        let other = try SQLiteConnection(path: folder.file(), access: .readWrite, busyTimeout: .zero)
        let counts = try connection.snapshot { () throws(StoreError) in
            let before = try connection.integer("SELECT count(*) FROM a")
            try other.run("INSERT INTO a VALUES (1)")
            return [before, try connection.integer("SELECT count(*) FROM a")]
        }
        #expect(counts == [0, 0])
        #expect(try connection.integer("SELECT count(*) FROM a") == 1, "it ends with its closure")
        #expect(sqlite3_get_autocommit(connection.handle) == 1)
    }

    @Test func aCheckpointEmptiesTheLog() throws {
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE a (x); INSERT INTO a VALUES (1)")
        let log = folder.file() + "-wal"
        func size() throws -> Int? { try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int }
        #expect(try size() ?? 0 > 0)
        connection.checkpoint()
        #expect(try size() == 0)
    }

    @Test func aClosedConnectionHoldsNothing() throws {
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE a (x)")
        try connection.run("INSERT INTO a VALUES (1)")
        #expect(FileManager.default.fileExists(atPath: folder.file() + "-wal"))
        connection.close()
        connection.close()
        #expect(!FileManager.default.fileExists(atPath: folder.file() + "-wal"), "the last one removes the log")
    }

    // MARK: Statements

    @Test func theFirstValueOfTheFirstRowIsTheInteger() throws {
        #expect(try connection.integer("SELECT 5 UNION ALL SELECT 6") == 5)
        #expect(try connection.integer("SELECT ?2 - ?1", [.integer(2), .integer(9)]) == 7)
        #expect(try connection.integer("SELECT 1 WHERE 0") == nil)
        #expect(try connection.integer("SELECT NULL") == nil)
        for sql in ["SELEC", "SELECT 1 FROM nowhere", ""] {
            let error = #expect(throws: StoreError.self) { try connection.integer(sql) }
            #expect(error?.message.hasPrefix("could not prepare a statement: ") == true, "\(sql)")
        }
    }

    @Test func eachKindOfValueIsBound() throws {
        let values: [SQLiteValue] = [
            .integer(.min), .text("ü\u{0}b"), .blob([0, 255]), .real(0.5), .null, .text(""), .blob([]),
        ]
        let types = (1...7).map { "typeof(?\($0))" }.joined(separator: " || ' ' || ")
        var found: String?
        try connection.query("SELECT \(types)", values) { row throws(StoreError) in found = row.text(0) }
        #expect(found == "integer text blob real null text blob")
        try connection.query("SELECT ?1, ?2, ?3, ?4 * 2, ?5, ?6, ?7", values) { row throws(StoreError) in
            #expect(row.integer(0) == .min)
            #expect(row.text(1) == "ü\u{0}b")
            #expect(row.blob(2) == [0, 255])
            #expect(row.integer(3) == 1)
            #expect(row.integer(4) == nil)
            #expect(row.text(5) == "")
            #expect(row.blob(6) == [])
            #expect(row.text(4) == nil)
            #expect(row.blob(4) == nil)
            #expect(row.bool(4) == nil)
            #expect(row.duration(4) == nil)
            #expect(row.int(0) == Int(Int64.min))
            #expect(row.bool(0) == true)
            #expect(row.bool(3) == true)
        }
        #expect(SQLiteValue.optional("a") == .text("a"))
        #expect(SQLiteValue.optional(nil as String?) == .null)
        #expect(SQLiteValue.optional(1 as Int64?) == .integer(1))
        #expect(SQLiteValue.optional(nil as Int64?) == .null)
        #expect(SQLiteValue.optional(2 as Int?) == .integer(2))
        #expect(SQLiteValue.optional(nil as Int?) == .null)
    }

    @Test func aRowIsReadAsWhatIsAskedFor() throws {
        let sql = "SELECT 0, 2, x'ff61', zeroblob(16), x'0102', 1500"
        try connection.query(sql) { row throws(StoreError) in
            #expect(row.bool(0) == false)
            #expect(row.bool(1) == true)
            #expect(row.text(2) == "\u{fffd}a")
            #expect(row.id(3) == CallID(high: 0, low: 0))
            #expect(row.id(4) == nil)
            #expect(row.duration(5) == .microseconds(1500))
            let error = row.unexpected("a thing")
            #expect(error.code == .corrupt)
            #expect(error.message.contains("holds a thing"))
            #expect(error.path == folder.file())
        }
    }

    @Test func parametersOfAStatementStaySetAndThoseOfAQueryDoNot() throws {
        try connection.execute("CREATE TABLE a (x, y)")
        let insert = try connection.prepare("INSERT INTO a VALUES (?, ?)")
        insert.set(1, 5)
        insert.set(2, true)
        try insert.run()
        insert.set(2, false)
        try insert.run()
        insert.set(1, nil as String?)
        insert.set(2, nil as Bool?)
        try insert.run()
        insert.set(1, Events.id(1))
        try insert.run([.integer(7)])
        try insert.run()
        let rows = try connection.stored("a", ["x", "y"])
        #expect(rows == [["x": "5", "y": "1"], ["x": "5", "y": "0"], [:], ["x": "7"], [:]])
        insert.set(1, Events.id(1))
        try insert.run()
        #expect(try connection.texts("SELECT hex(x) FROM a").last == Events.id(1).hex)
        for number in 1...3 { try connection.run("INSERT INTO a VALUES (?, 0)", [.integer(Int64(number))]) }
        #expect(try connection.integer("SELECT sum(x) FROM a WHERE y = 0 AND x < 4") == 6)
    }

    @Test func anErrorOfABindingComesWhenTheStatementRuns() throws {
        let statement = try connection.prepare("SELECT ?1")
        statement.set(2, 1)
        statement.set(1, 1)
        let error = #expect(throws: StoreError.self) { try statement.run() }
        #expect(error?.sqliteCode == SQLITE_RANGE)
        #expect(error?.message.hasPrefix("could not bind a value: ") == true)
        #expect(error?.path == folder.file())
        #expect(error?.code == .unknown)
        var value: Int64?
        try statement.rows { row throws(StoreError) in value = row.integer(0) }
        #expect(value == 1, "the next run is a new one")
        statement.set(1, String?.none)
        try statement.rows { row throws(StoreError) in value = row.integer(0) }
        #expect(value == nil)
    }

    @Test func aClosureThatThrowsEndsTheQuery() throws {
        let statement = try connection.prepare("SELECT 1 UNION ALL SELECT 2")
        var seen = 0
        let stop = StoreError(.cancelled, message: "enough", path: "")
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) {
                try statement.rows { _ throws(StoreError) in
                    seen += 1
                    throw stop
                }
            }
            #expect(error == stop)
        }
        #expect(seen == 2)
    }
}
