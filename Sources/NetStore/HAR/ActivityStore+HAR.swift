internal import NetCore
internal import NetRecord

/// What an import has added to a store.
public struct HARImport: Sendable, Hashable {
    /// The entries of the file.
    public var entries: Int
    /// Calls that were added.
    public var calls = 0
    /// WebSockets that were added.
    public var sockets = 0
    /// Messages of those WebSockets.
    public var messages = 0
    /// Calls that were stored already; they stay as they are.
    public var alreadyStored = 0
    /// Calls that were added and ended so long ago that retention deletes them; 0 if they were pinned.
    public var expiring = 0
    /// The run that they belong to; nil if nothing was added.
    public var run: Int64?
}

extension ActivityStore {
    /// Adds the entries of a HAR 1.2 file, gzipped or not, of a browser, a proxy or a store.
    ///
    ///     let store = try ActivityStore(path: "activity.sqlite")
    ///     let added = try await store.importHAR(at: "browser.har")
    ///     print(added.calls, added.sockets, added.alreadyStored)
    ///
    /// Secrets are hidden as ``RedactionPolicy/safeDefault`` hides them. The entries keep their dates and belong to a run of
    /// their own, named after the program that has written the file. What a store has exported becomes the same calls again,
    /// with their attempts. A second import of the same file adds nothing.
    ///
    /// All entries are added, or none: the store's writer does it in one transaction, and writes nothing else meanwhile.
    /// Bodies are cut at ``Configuration/maximumBodyBytes``.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - pins: Whether the entries are spared when old ones are deleted. Default false: those that ended longer ago than
    ///     ``Retention/age`` are deleted with the others, see ``HARImport/expiring``.
    ///   - maximumBytes: The most bytes of the file, and of its text once it's decompressed. Default 512 MiB.
    ///
    /// Throws `invalidImport` for a file that can't be read, with the line and the number of the entry, and like ``flush(_:)``.
    @discardableResult
    public func importHAR(
        at path: String, pins: Bool = false, maximumBytes: Int = 512 << 20
    ) async throws(StoreError) -> HARImport {
        try await writer.perform { desk throws(StoreError) in
            guard let writer = desk.writer else { throw StoreError.closed(desk.connection.path) }
            let file = try StoreError.reading { () throws(RecordFileError) in
                let slash = path.lastIndex(of: "/")
                return try HARFile(
                    try HARContent.read(path, maximumBytes: maximumBytes), file: path,
                    folder: slash.map { String(path[..<$0]) } ?? ".")
            }
            return try writer.add(
                HARCalls(file, name: path), entries: file.count, creator: file.creator, version: file.version,
                pins: pins)
        }
    }
}
