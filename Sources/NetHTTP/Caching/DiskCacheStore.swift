public import NetCore
internal import NetCrypto
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Keeps responses in a folder, up to a maximum size; the least recently used ones are removed first.
///
/// Several processes may share the folder. A process that dies leaves nothing broken behind: files appear complete or
/// not at all, and each is sealed by a SHA-256, so a damaged file is a miss and never served. The cost of a lookup
/// doesn't depend on the number of stored entries. All file access runs on separate threads.
///
/// Only the owner may read the files. They aren't encrypted, unless a ``Transform`` does so. Responses to a login
/// without a name (``NetCore/CallIdentity/named(_:)``) aren't written: they're kept in memory, up to
/// ``maximumSessionBytes``, for the lifetime of the store. The name itself is never written to disk, only its hash
/// with a secret of the folder.
///
///     let cache = CacheMiddleware(DiskCacheStore(folder: "/var/cache/shop/http"))
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.middleware = [cache] }
public final class DiskCacheStore: HTTPCacheStore {
    /// The folder; it's created if it doesn't exist.
    public let folder: String
    /// The maximum size of all files together, in bytes. Default 64 MiB.
    public let maximumBytes: Int64
    /// The maximum size of one entry, in bytes. Default an eighth of ``maximumBytes``.
    public let maximumEntryBytes: Int64
    private let files: DiskCacheFolder
    private let session: MemoryCacheStore

    /// The maximum number of bytes kept in memory for logins without a name, 16 MiB.
    public static let maximumSessionBytes: Int64 = 16 << 20

    /// The maximum size in bytes of a body that is read and verified in one piece.
    static let wholeBytes: Int64 = 1 << 20
    /// The maximum size in bytes at which the body of a key's only entry is read along with its head: two thread
    /// switches cost more than that.
    static let bytesBesideHead: Int64 = 16 << 10

    /// Creates a store in a folder, which is created when something is stored. A limit below zero counts as zero:
    /// nothing is kept.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - maximumBytes: The maximum size of all files in bytes. Default 64 MiB.
    ///   - maximumEntryBytes: The maximum size of one entry in bytes. Default nil: an eighth of `maximumBytes`.
    ///   - transform: Transforms the files, such as by encryption. Default nil: files hold responses as they are.
    public init(
        folder: String, maximumBytes: Int64 = 64 << 20, maximumEntryBytes: Int64? = nil, transform: Transform? = nil
    ) {
        self.folder = folder
        let maximumBytes = max(0, maximumBytes)
        self.maximumBytes = maximumBytes
        self.maximumEntryBytes = min(max(0, maximumEntryBytes ?? maximumBytes / 8), maximumBytes)
        files = DiskCacheFolder(path: folder, maximumBytes: maximumBytes, transform: transform)
        session = MemoryCacheStore(maximumBytes: min(maximumBytes, Self.maximumSessionBytes))
    }

    /// Creates the folder, and throws `.file` if it can't be created or written. Calling this is optional: without
    /// it, an unusable folder shows only by nothing being stored.
    public func prepare() async throws(NetError) {
        let isMade = await run { $0.make() && $0.locked { _ in true } == true }
        guard isMade == true else {
            throw NetError(.file, phase: .preparing, message: "the cache folder \"\(folder)\" cannot be written")
        }
    }

    /// The bytes in use, or more: bytes that a dead process was writing count until the folder is full.
    public var bytes: Int64 { get async { await run { $0.locked { $0.value ?? 0 } ?? 0 } ?? 0 } }

    /// The number of entries; each variant and each part counts. Reads every head in the folder.
    public var count: Int {
        get async {
            var count = session.count
            for name in await headNames() { count += await head(name)?.entries.count ?? 0 }
            return count
        }
    }

    /// Removes files that nothing refers to, and then the least recently used entries, until at most `bytes` bytes
    /// are in use.
    ///
    /// - Parameter bytes: Default nil: ``maximumBytes``. Values below zero count as zero: everything is removed.
    public func prune(to bytes: Int64? = nil) async {
        let limit = min(max(0, bytes ?? maximumBytes), maximumBytes)
        await run { files in _ = files.locked { files.sweep(&$0, to: limit) } }
    }

    public func entries(for key: CacheKey) async -> [CacheEntry] { await entries(for: key, during: nil) }

    /// Returns no entries if the call ends before the files have been read.
    func entries(for key: CacheKey, during call: CallContext?) async -> [CacheEntry] {
        guard key.identity.isLasting else { return await session.entries(for: key) }
        return await run(during: call) { files in
            guard let key = files.sealed(key) else { return [] }
            let head = files.head(of: key, DiskCacheFolder.name(key), now: Int64(time(nil)))
            if case .damaged = head { files.removeDamaged(key) }
            var entries = head.entries
            if entries.count == 1, (1...Self.bytesBesideHead).contains(entries[0].bodyLength) {
                entries[0].body = Self.body(of: entries[0], in: files)?.bytes
            }
            return entries
        } ?? []
    }

    public func body(of entry: CacheEntry, slice: Range<Int64>?) async -> ResponseBody? {
        await body(of: entry, slice: slice, during: nil)
    }

    /// Returns nil if the call ends before the files have been read.
    func body(of entry: CacheEntry, slice: Range<Int64>?, during call: CallContext?) async -> ResponseBody? {
        guard entry.key.identity.isLasting else { return await session.body(of: entry, slice: slice) }
        let slice = slice ?? 0..<entry.bodyLength
        guard slice.lowerBound >= 0, slice.upperBound <= entry.bodyLength else { return nil }
        if entry.bodyLength == 0 { return ResponseBody() }
        if let bytes = entry.body { return Self.part(slice, of: bytes) }
        let found = await run(during: call) { files -> ResponseBody? in
            switch Self.body(of: entry, in: files) {
            case .bytes(let bytes): Self.part(slice, of: bytes)
            case .file(let file):
                if let transform = files.transform {
                    ResponseBody(source: SealedBodySource(SealedBody(file, transform), slice))
                } else {
                    ResponseBody(source: DiskBodySource(file, slice))
                }
            case nil: nil
            }
        }
        // The body is damaged; the call didn't end early.
        if case .some(nil) = found { await remove(entry.key) { $0.id == entry.id } }
        return found.flatMap { $0 }
    }

    private static func part(_ slice: Range<Int64>, of bytes: Bytes) -> ResponseBody {
        ResponseBody(bytes[Int(slice.lowerBound)..<Int(slice.upperBound)])
    }

    /// A verified body: small ones as bytes.
    private enum StoredBody {
        case bytes(Bytes)
        case file(DiskCacheFile)

        var bytes: Bytes? { if case .bytes(let bytes) = self { bytes } else { nil } }
    }

    /// Nil if the body isn't the one that was stored. Blocks.
    private static func body(of entry: CacheEntry, in files: DiskCacheFolder) -> StoredBody? {
        guard let file = DiskCacheFile.open(files.bodyPath(DiskCacheFolder.name(entry.key), entry.id)) else {
            return nil
        }
        if let transform = files.transform { return sealedBody(of: entry, SealedBody(file, transform)) }
        guard file.status?.length == entry.bodyLength else { return nil }
        if entry.bodyLength <= wholeBytes {
            guard let bytes = file.read(at: 0, count: Int(entry.bodyLength)),
                RunningHash.digest(of: bytes, .sha256) == entry.digest
            else { return nil }
            return .bytes(bytes)
        }
        guard var hash = RunningHash(.sha256) else { return nil }
        var offset: Int64 = 0
        while offset < entry.bodyLength {
            let count = min(entry.bodyLength - offset, Int64(FileBodySource.pieceBytes))
            guard let piece = file.read(at: offset, count: Int(count)) else { return nil }
            hash.update(piece)
            offset += count
        }
        return hash.finish() == entry.digest ? .file(file) : nil
    }

    private static func sealedBody(of entry: CacheEntry, _ body: SealedBody) -> StoredBody? {
        guard var hash = RunningHash(.sha256) else { return nil }
        var (body, kept, count) = (body, [Bytes](), Int64(0))
        let isSmall = entry.bodyLength <= wholeBytes
        while count < entry.bodyLength {
            guard let piece = body.next(), !piece.isEmpty else { return nil }
            hash.update(piece)
            count += Int64(piece.count)
            if isSmall { kept.append(piece) }
        }
        guard count == entry.bodyLength, hash.finish() == entry.digest else { return nil }
        return isSmall ? .bytes(Bytes.join(kept, count: Int(count))) : .file(body.file)
    }

    public func begin(_ entry: CacheEntry, length: Int64?) async -> (any HTTPCacheWriter)? {
        guard entry.key.identity.isLasting else { return await session.begin(entry, length: length) }
        let room = maximumEntryBytes - entry.headLength
        guard length ?? 0 <= room else { return nil }
        let place = await run { files -> (CacheKey, DiskCacheFolder.Draft)? in
            guard let key = files.sealed(entry.key), let draft = files.beginDraft(length: length) else { return nil }
            return (key, draft)
        }.flatMap { $0 }
        guard let (key, draft) = place else { return nil }
        var entry = entry
        entry.key = key
        return DiskCacheWriter(entry, draft, in: files, room: room)
    }

    public func update(_ entry: CacheEntry) async {
        guard entry.key.identity.isLasting else { return await session.update(entry) }
        await change(entry.key) { key, entries in
            guard let place = entries.firstIndex(where: { $0.id == entry.id }) else { return }
            let (length, digest) = (entries[place].bodyLength, entries[place].digest)
            entries[place] = entry
            entries[place].key = key
            entries[place].bodyLength = length
            entries[place].digest = digest
        }
    }

    public func remove(_ key: CacheKey, where isMeant: @Sendable (CacheEntry) -> Bool) async {
        guard key.identity.isLasting else { return await session.remove(key, where: isMeant) }
        let meant = Set(await entries(for: key).filter(isMeant).map(\.id))
        guard !meant.isEmpty else { return }
        await change(key) { _, entries in entries.removeAll { meant.contains($0.id) } }
    }

    public func removeAll(where isMeant: @Sendable (CacheEntry) -> Bool) async {
        await session.removeAll(where: isMeant)
        for name in await headNames() {
            guard let head = await head(name), head.entries.contains(where: isMeant) else { continue }
            await remove(head.key, where: isMeant)
        }
    }

    private func headNames() async -> [String] { await run { $0.names().filter { $0.hasSuffix(".head") } } ?? [] }

    private func head(_ name: String) async -> (key: CacheKey, entries: [CacheEntry])? {
        await run { files -> (key: CacheKey, entries: [CacheEntry])? in
            guard let file = DiskCacheFile.open("\(files.path)/\(name)"), let length = file.status?.length,
                length <= 16 << 20, let bytes = file.read(at: 0, count: Int(length))
            else { return nil }
            return files.decoded(bytes)
        }.flatMap { $0 }
    }

    private func change(
        _ key: CacheKey, _ body: @escaping @Sendable (CacheKey, inout [CacheEntry]) -> Void
    ) async {
        await run { files in
            guard let key = files.sealed(key) else { return }
            let name = DiskCacheFolder.name(key)
            _ = files.locked { count in
                if case .entries = files.head(of: key, name) { files.change(key, name, &count) { body(key, &$0) } }
            }
        }
    }

    /// Runs work on a thread for files. Returns nil if no thread is available, or if the call ended before the work
    /// did.
    @discardableResult
    private func run<Value: Sendable>(
        during call: CallContext? = nil, _ body: @escaping @Sendable (DiskCacheFolder) -> Value
    ) async -> Value? {
        let files = files
        return try? await FileThreads.shared.run(during: call) { () throws(NetError) -> Value in body(files) }
    }
}
