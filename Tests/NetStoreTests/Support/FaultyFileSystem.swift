import CSQLite
import FaultVFS
import Foundation

@testable import NetStore

/// A file system for the writer of a store that fails on demand. Readers use the default one.
///
/// `@unchecked Sendable`: the pointer never changes, and its target is atomic.
final class FaultyFileSystem: @unchecked Sendable {
    /// The kind of failure.
    enum Fault: UInt32, CaseIterable {
        case inputOutput = 1
        case full, flush, lock
    }

    private let name = "fault-\(UUID().uuidString)"
    private let fault: OpaquePointer

    init() throws {
        guard let fault = net_fault_new(name) else { throw CommandError(text: "no memory") }
        self.fault = fault
    }

    deinit { net_fault_free(fault) }

    /// Makes the n-th call from now on fail, starting at 1.
    func fail(_ kind: Fault, at number: Int, forever: Bool = false) {
        net_fault_arm(fault, net_fault_kind(kind.rawValue), Int32(number), forever ? 1 : 0)
    }

    /// Makes no call fail.
    func heal() { net_fault_arm(fault, NET_FAULT_IO, 0, 0) }

    /// The number of calls since then that the fault concerns.
    var count: Int { Int(net_fault_count(fault)) }

    var hasFailed: Bool { net_fault_has_failed(fault) != 0 }

    /// Records each write (`w`) and each completed flush (`s`) from now on.
    func note() { net_fault_note(fault) }

    /// Adds a note of the test.
    func mark(_ note: Character) { net_fault_mark(fault, CChar(note.asciiValue ?? 0)) }

    /// The notes in order.
    var notes: String {
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        let count = Int(net_fault_notes(fault, &buffer, Int32(buffer.count)))
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Blocks each flush until this is called with false.
    func holdFlushes(_ holds: Bool) { net_fault_hold(fault, holds ? 1 : 0) }

    /// The number of blocked flushes.
    var heldFlushes: Int { Int(net_fault_held(fault)) }

    func open(_ path: String, isReadOnly: Bool) throws -> OpaquePointer {
        if isReadOnly { return try AppDatabase.open(path, isReadOnly: true) }
        var database: OpaquePointer?
        let result = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, name)
        guard result == SQLITE_OK, let database else {
            sqlite3_close(database)
            throw StoreError(
                sqlite: result, text: String(cString: sqlite3_errstr(result)), path: path, doing: "open the database")
        }
        return database
    }
}
