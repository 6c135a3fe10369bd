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
    /// Either all entries are added or none: the store's writer adds them in one transaction, and writes nothing else
    /// meanwhile. Bodies are truncated to ``Configuration/maximumBodyBytes``.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - pins: True to protect the entries from retention. Default false: entries that ended longer ago than
    ///     ``Retention/age`` are deleted like any others; see ``HARImport/expiring``.
    ///   - maximumBytes: The maximum size of the file, and of its decompressed text. Default 512 MiB.
    ///
    /// Throws `invalidImport` for an unreadable file, with the line and the number of the entry, and the errors of
    /// ``flush(_:)``.
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
