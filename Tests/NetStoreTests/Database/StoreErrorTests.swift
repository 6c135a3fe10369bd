import CSQLite
import Foundation
import Testing

@testable import NetStore

/// The errors of SQLite and the system, as codes and sentences.
@Suite struct StoreErrorTests {
    private func error(_ result: Int32, system: Int32 = 0, text: String = "said") -> StoreError {
        StoreError(sqlite: result, text: text, systemError: system, path: "file", doing: "do it")
    }

    @Test(
        arguments: [
            (SQLITE_NOTADB, .notADatabase, "Choose another path, or move that file away"),
            (SQLITE_CORRUPT, .corrupt, "Recover what can be read with `sqlite3 FILE .recover`, then start a new file"),
            (
                SQLITE_BUSY, .locked,
                "Another program holds the database; end its transaction or raise the busy timeout"
            ),
            (SQLITE_LOCKED, .locked, "Another program"), (SQLITE_PROTOCOL, .locked, "Another program"),
            (SQLITE_FULL, .full, "Free space, raise `maximumFileBytes`, or delete stored activity"),
            (SQLITE_READONLY, .permission, "The file and its folder must be writable"),
            (SQLITE_PERM, .permission, "The file"), (SQLITE_AUTH, .permission, "The file"),
            (SQLITE_CONSTRAINT, .invalidRow, nil), (SQLITE_MISMATCH, .invalidRow, nil),
            (SQLITE_TOOBIG, .invalidRow, nil), (SQLITE_INTERRUPT, .cancelled, nil), (SQLITE_IOERR, .inputOutput, nil),
            (SQLITE_ERROR, .unknown, nil), (SQLITE_MISUSE, .unknown, nil), (SQLITE_CANTOPEN, .inputOutput, nil),
        ] as [(Int32, StoreError.Code, String?)])
    func aResultIsACodeAndAdvice(result: Int32, code: StoreError.Code, advice: String?) {
        for extended in [result, result | 9 << 8] {
            let error = error(extended)
            #expect(error.code == code)
            #expect(error.sqliteCode == extended)
            #expect(error.path == "file")
            if let advice {
                #expect(error.message.hasPrefix("could not do it: said. \(advice)"))
            } else {
                #expect(error.message == "could not do it: said")
            }
            #expect(error.isAboutTheRow == (code == .invalidRow))
        }
    }

    @Test(
        arguments: [
            (EACCES, .permission), (EPERM, .permission), (EROFS, .permission), (EISDIR, .notAFile),
            (ENOENT, .notFound), (ENOTDIR, .notFound), (EIO, .inputOutput), (0, .inputOutput),
        ] as [(Int32, StoreError.Code)])
    func whyAFileDoesNotOpenIsTheSystemsError(system: Int32, code: StoreError.Code) {
        let error = error(SQLITE_CANTOPEN, system: system)
        #expect(error.code == code)
        let text = "(\(String(cString: strerror(system))))"
        #expect(error.message.contains(text) == (system != 0 && (code == .permission || code == .inputOutput)))
    }

    @Test func theSystemsErrorIsToldWhereItSaysMore() {
        let text = " (\(String(cString: strerror(EIO))))"
        #expect(error(SQLITE_IOERR, system: EIO).message == "could not do it: said\(text)")
        #expect(error(SQLITE_ERROR, system: EIO).message == "could not do it: said\(text)")
        #expect(error(SQLITE_READONLY, system: EIO).message.hasPrefix("could not do it: said\(text). The file"))
        #expect(!error(SQLITE_FULL, system: EIO).message.contains(text))
        #expect(error(SQLITE_IOERR).message == "could not do it: said")
    }

    @Test func aLibraryWithoutTheIndexIsUnsupported() {
        let lacking = error(SQLITE_ERROR, text: "no such module: fts5")
        #expect(lacking.code == .unsupported)
        #expect(lacking.message == "could not do it: no such module: fts5. Use an SQLite that is compiled with FTS5")
        #expect(error(SQLITE_BUSY, text: "no such module: fts5").code == .locked)
        #expect(error(SQLITE_ERROR, text: "no such table").code == .unknown)
    }

    @Test(
        arguments: [
            (ENOENT, .notFound, ". Create the folder first"), (ENOTDIR, .notFound, ". Create the folder first"),
            (EACCES, .permission, ". The file and its folder must be writable: SQLite keeps its log beside the file"),
            (EPERM, .permission, ". The file"), (EROFS, .permission, ". The file"), (EISDIR, .notAFile, ""),
            (ENOSPC, .full, ""), (EDQUOT, .full, ""), (EIO, .inputOutput, ""),
        ] as [(Int32, StoreError.Code, String)])
    func anErrorOfTheFileSystemIsACodeAndAdvice(system: Int32, code: StoreError.Code, advice: String) {
        let error = StoreError(systemError: system, path: "file", doing: "make it")
        #expect(error.code == code)
        #expect(error.sqliteCode == nil)
        #expect(error.path == "file")
        let begin = "could not make it: \(String(cString: strerror(system)))"
        #expect(error.message.hasPrefix(begin + advice))
        if advice.isEmpty { #expect(error.message == begin) }
    }

    @Test func aDescriptionNamesTheFileAndTheCode() {
        #expect(
            StoreError(.locked, message: "busy", path: "a.sqlite", sqliteCode: 5).description
                == "locked: busy (a.sqlite, SQLite code 5)")
        #expect(StoreError(.closed, message: "shut", path: "a.sqlite").description == "closed: shut (a.sqlite)")
        #expect(StoreError.closed("p").code == .closed)
        #expect(StoreError.closed("p").path == "p")
    }
}
