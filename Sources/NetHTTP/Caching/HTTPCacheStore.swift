public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The storage of a cache. ``MemoryCacheStore`` and ``DiskCacheStore`` are provided.
///
/// A store never fails a call: data that it can't read counts as absent, and data that it can't write isn't kept. It
/// may discard anything at any time. Its functions may be called from many tasks concurrently.
///
/// A custom store keeps entries as they are, under their key, or as bytes (``CacheEntry/encoded()``); if it outlives
/// the process, under ``CacheKey/name(secret:)``.
public protocol HTTPCacheStore: Sendable {
    /// Returns all entries under a key: one for each variant, and parts of bodies.
    func entries(for key: CacheKey) async -> [CacheEntry]
    /// Returns the body of an entry, or a byte range of it; nil if the body is gone or damaged.
    func body(of entry: CacheEntry, slice: Range<Int64>?) async -> ResponseBody?
    /// Begins to store an entry; nil if it can't be stored, or is too large. `length` is the length of the body, if
    /// known.
    func begin(_ entry: CacheEntry, length: Int64?) async -> (any HTTPCacheWriter)?
    /// Replaces the headers of a stored entry, found by its ID; its body stays.
    func update(_ entry: CacheEntry) async
    /// Removes every entry under a key for which `isMeant` returns true.
    func remove(_ key: CacheKey, where isMeant: @Sendable (CacheEntry) -> Bool) async
    /// Removes every entry for which `isMeant` returns true.
    func removeAll(where isMeant: @Sendable (CacheEntry) -> Bool) async
}

/// Receives the body of one entry.
///
/// An entry that isn't finished when the writer is dropped isn't stored. One task at a time uses the writer; another
/// task may call ``cancel()``.
public protocol HTTPCacheWriter: AnyObject, Sendable {
    /// Appends bytes; false if they can't be stored, in which case no more are passed.
    func write(_ bytes: Bytes) async -> Bool
    /// Completes the body: the entry becomes visible to all calls, and replaces the entries under its key for which
    /// `isReplaced` returns true. Returns false if it couldn't be stored.
    func finish(replacing isReplaced: @escaping @Sendable (CacheEntry) -> Bool) async -> Bool
    /// Discards the bytes written.
    func cancel()
}

extension HTTPCacheStore {
    /// Removes everything.
    public func removeAll() async { await removeAll { _ in true } }

    /// Removes all entries of an origin, such as `https://api.example.com`.
    public func removeAll(from origin: String) async {
        let url = URLReference(origin)
        let wanted = Authority.origin(scheme: url.scheme ?? "", authority: url.authority ?? "")
        await removeAll { $0.key.origin == wanted }
    }

    /// Removes all entries whose request had the tag (``NetCore/RequestMetadata/tags``).
    public func removeAll(taggedWith tag: String) async { await removeAll { $0.tags.contains(tag) } }

    /// Removes all entries that arrived before a date.
    public func removeAll(storedBefore date: Date) async { await removeAll { $0.responseDate < date } }

    /// Removes all entries of a key, including its variants.
    public func remove(_ key: CacheKey) async { await remove(key) { _ in true } }
}
