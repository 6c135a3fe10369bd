public import NetCore
internal import Synchronization

/// Keeps responses in memory, up to a maximum size; the least recently used ones are removed first.
///
///     let cache = CacheMiddleware(MemoryCacheStore(maximumBytes: 8 << 20))
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.middleware = [cache] }
public final class MemoryCacheStore: HTTPCacheStore {
    /// The maximum size of all heads and bodies together, in bytes. Default 32 MiB.
    public let maximumBytes: Int64
    /// The maximum size of one entry, in bytes. Default an eighth of ``maximumBytes``.
    public let maximumEntryBytes: Int64
    private let contents: Mutex<MemoryCacheContents>

    /// Creates an empty store. A limit below zero counts as zero: nothing is kept.
    public init(maximumBytes: Int64 = 32 << 20, maximumEntryBytes: Int64? = nil) {
        let maximumBytes = max(0, maximumBytes)
        self.maximumBytes = maximumBytes
        self.maximumEntryBytes = min(max(0, maximumEntryBytes ?? maximumBytes / 8), maximumBytes)
        contents = Mutex(MemoryCacheContents(maximumBytes: maximumBytes))
    }

    /// The size of the heads and bodies currently kept, in bytes.
    public var bytes: Int64 { contents.withLock { $0.bytes } }
    /// The number of entries currently kept.
    public var count: Int { contents.withLock { $0.count } }

    public func entries(for key: CacheKey) async -> [CacheEntry] { contents.withLock { $0.entries(for: key) } }

    public func body(of entry: CacheEntry, slice: Range<Int64>?) async -> ResponseBody? {
        guard let bytes = contents.withLock({ $0.body(of: entry) }) else { return nil }
        guard let slice else { return ResponseBody(bytes) }
        guard slice.lowerBound >= 0, slice.upperBound <= bytes.count else { return nil }
        return ResponseBody(bytes[Int(slice.lowerBound)..<Int(slice.upperBound)])
    }

    public func begin(_ entry: CacheEntry, length: Int64?) async -> (any HTTPCacheWriter)? {
        let room = maximumEntryBytes - entry.headLength
        return length ?? 0 <= room ? MemoryCacheWriter(entry, room: room, store: self) : nil
    }

    public func update(_ entry: CacheEntry) async { contents.withLock { $0.update(entry) } }

    public func remove(_ key: CacheKey, where isMeant: @Sendable (CacheEntry) -> Bool) async {
        contents.withLock { $0.remove(key, where: isMeant) }
    }

    public func removeAll(where isMeant: @Sendable (CacheEntry) -> Bool) async {
        contents.withLock { $0.removeAll(where: isMeant) }
    }

    fileprivate func insert(_ entry: CacheEntry, _ body: Bytes, replacing isReplaced: (CacheEntry) -> Bool) {
        contents.withLock { $0.insert(entry, body, replacing: isReplaced) }
    }
}

private final class MemoryCacheWriter: HTTPCacheWriter {
    private struct State {
        var chunks: [Bytes] = []
        var count: Int64 = 0
        var isOver = false
    }

    private let entry: CacheEntry
    private let room: Int64
    private let store: MemoryCacheStore
    private let state = Mutex(State())

    init(_ entry: CacheEntry, room: Int64, store: MemoryCacheStore) {
        self.entry = entry
        self.room = room
        self.store = store
    }

    func write(_ bytes: Bytes) async -> Bool {
        state.withLock { state in
            guard !state.isOver, Int64(bytes.count) <= room - state.count else {
                state = State(isOver: true)
                return false
            }
            // Copied, since a small chunk may be a slice of a large block of the transport.
            state.chunks.append(Bytes(bytes))
            state.count += Int64(bytes.count)
            return true
        }
    }

    func finish(replacing isReplaced: @escaping @Sendable (CacheEntry) -> Bool) async -> Bool {
        let (chunks, count, isOver) = state.withLock { state in
            defer { state = State(isOver: true) }
            return (state.chunks, state.count, state.isOver)
        }
        guard !isOver else { return false }
        var entry = entry
        entry.bodyLength = count
        store.insert(entry, chunks.isEmpty ? Bytes() : Bytes.join(chunks, count: Int(count)), replacing: isReplaced)
        return true
    }

    func cancel() { state.withLock { $0 = State(isOver: true) } }
}
