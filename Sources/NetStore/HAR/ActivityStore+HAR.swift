internal import NetCore
internal import NetRecord

/// The result of an import.
public struct HARImport: Sendable, Hashable {
    /// The number of entries in the file.
    public var entries: Int
    /// The number of calls added.
    public var calls = 0
    /// The number of WebSockets added.
    public var sockets = 0
    /// The number of messages of those WebSockets.
    public var messages = 0
    /// The number of calls that were already stored; they stay unchanged.
    public var alreadyStored = 0
    /// The number of added calls that retention will delete because they ended long ago; 0 if they were pinned.
    public var expiring = 0
    /// The run that the added entries belong to; nil if nothing was added.
    public var run: Int64?
    /// The number of entries that weren't read, because their request can't be.
    public var skippedEntries = 0
    /// The number of parts of entries that weren't read, such as a body that isn't valid base64.
    public var skippedParts = 0
    /// The number of values that were read by a guess, such as a date without an offset from UTC.
    public var guesses = 0
    /// The reasons for what was skipped or guessed, in the order of the file; at most the first 1,000.
    public var remarks: [Remark] = []

    /// The reason why a part of a file was skipped, or the guess by which it was read.
    public struct Remark: Sendable, Hashable, CustomStringConvertible {
        /// The treatment of the part.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The entry wasn't read.
            case skippedEntry
            /// The part of the entry wasn't read.
            case skippedPart
            /// The value was read by a guess.
            case guess
        }

        /// The treatment of the part.
        public var kind: Kind
        /// The reason, and the guess. Contains no value of the file.
        public var reason: String
        /// The place, such as `log.entries[3].response.status`.
        public var place: String
        /// The line; 0 if it isn't known.
        public var line: Int

        /// The line, the place and the reason.
        public var description: String { "line \(line), \(place): \(reason)" }
    }
}

extension HARImport {
    /// Takes over the remarks about the file.
    mutating func add(_ remarks: HARRemarks) {
        func kind(_ kind: HARRemark.Kind) -> Remark.Kind {
            switch kind {
            case .skippedEntry: .skippedEntry
            case .skipped: .skippedPart
            case .guessed: .guess
            }
        }
        skippedEntries = remarks.count(.skippedEntry)
        skippedParts = remarks.count(.skipped)
        guesses = remarks.count(.guessed)
        self.remarks = remarks.kept.map {
            Remark(kind: kind($0.kind), reason: $0.reason, place: $0.place, line: $0.line)
        }
    }
}

extension ActivityStore {
    /// Adds the entries of a HAR 1.2 file, gzipped or not, written by a browser, a proxy or a store.
    ///
    ///     let store = try ActivityStore(path: "activity.sqlite")
    ///     let added = try await store.importHAR(at: "browser.har")
    ///     print(added.calls, added.sockets, added.alreadyStored)
    ///
    /// Secrets are redacted with ``RedactionPolicy/safeDefault``. The entries keep their dates and belong to a separate
    /// run named after the program that wrote the file. Entries exported by a store become the same calls again, with
    /// their attempts. A second import of the same file adds nothing.
    ///
    /// An entry or a part of one that can't be read is skipped, and a value in another form is read by a guess; the result
    /// counts and names them. An entry that is skipped has no request that can be read. The store's writer adds the
    /// entries in one transaction, and writes nothing else meanwhile. Bodies are truncated to
    /// ``Configuration/maximumBodyBytes``.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - pins: True to protect the entries from retention. Default false: entries that ended longer ago than
    ///     ``Retention/age`` are deleted like any others; see ``HARImport/expiring``.
    ///   - isStrict: True to add all entries or none: the first one that isn't in the form of HAR 1.2 throws. Default
    ///     false.
    ///   - maximumBytes: The maximum size of the file, and of its decompressed text. Default 512 MiB.
    ///
    /// Throws `invalidImport` for an unreadable file or one without `log.entries`, with the line and, if it is strict, the
    /// number of the entry; and the errors of ``flush(_:)``.
    @discardableResult
    public func importHAR(
        at path: String, pins: Bool = false, isStrict: Bool = false, maximumBytes: Int = 512 << 20
    ) async throws(StoreError) -> HARImport {
        try await writer.perform { desk throws(StoreError) in
            guard let writer = desk.writer else { throw StoreError.closed(desk.connection.path) }
            let file = try StoreError.reading { () throws(RecordFileError) in
                let slash = path.lastIndex(of: "/")
                return try HARFile(
                    try HARContent.read(path, maximumBytes: maximumBytes), file: path,
                    folder: slash.map { String(path[..<$0]) } ?? ".", isStrict: isStrict)
            }
            return try writer.add(
                HARCalls(file, name: path), entries: file.count, by: file.producer, pins: pins)
        }
    }
}
