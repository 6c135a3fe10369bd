public import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where a cache keeps responses. ``MemoryCacheStore`` and ``DiskCacheStore`` are two.
///
/// A store never fails a call: what it cannot read is not there, what it cannot write is not kept. It may forget anything at any
/// time. Its functions may be called from many tasks at once.
///
/// A store of your own keeps entries as they are, under their key, or as bytes: ``CacheEntry/encoded()``; under
/// ``CacheKey/name(secret:)`` if it outlives the process.
public protocol HTTPCacheStore: Sendable {
    /// Everything that is stored under a key: one entry for each variant, and parts of bodies.
    func entries(for key: CacheKey) async -> [CacheEntry]
    /// The body of an entry, or the slice of it in bytes; nil where it is gone or damaged.
    func body(of entry: CacheEntry, slice: Range<Int64>?) async -> ResponseBody?
    /// Begins to store an entry; nil where it cannot be, or is too large. `length` is that of the body where it is known.
    func begin(_ entry: CacheEntry, length: Int64?) async -> (any HTTPCacheWriter)?
    /// Puts other fields to an entry that is stored, by its id; its body stays.
    func update(_ entry: CacheEntry) async
    /// Removes everything under a key of which `isMeant` is true.
    func remove(_ key: CacheKey, where isMeant: @Sendable (CacheEntry) -> Bool) async
    /// Removes every entry of which `isMeant` is true.
    func removeAll(where isMeant: @Sendable (CacheEntry) -> Bool) async
}

/// Takes the body of one entry.
///
/// What is not finished when it is dropped was never stored. One task at a time uses it; ``cancel()`` may be called by another.
public protocol HTTPCacheWriter: AnyObject, Sendable {
    /// Takes the next bytes; false where they cannot be stored: then nothing more is brought.
    func write(_ bytes: Bytes) async -> Bool
    /// The body is whole: the entry is there for everyone from now on, in the place of those of its key that it replaces. False
    /// where it could not be stored.
    func finish(replacing isReplaced: @escaping @Sendable (CacheEntry) -> Bool) async -> Bool
    /// Forgets what was written.
    func cancel()
}

extension HTTPCacheStore {
    /// Removes everything.
    public func removeAll() async { await removeAll { _ in true } }

    /// Removes everything from an origin: `https://api.example.com`.
    public func removeAll(from origin: String) async {
        let url = URLReference(origin)
        let wanted = Authority.origin(scheme: url.scheme ?? "", authority: url.authority ?? "")
        await removeAll { $0.key.origin == wanted }
    }

    /// Removes everything whose request had the tag (``NetCore/RequestMetadata/tags``).
    public func removeAll(taggedWith tag: String) async { await removeAll { $0.tags.contains(tag) } }

    /// Removes everything that came before a date.
    public func removeAll(storedBefore date: Date) async { await removeAll { $0.responseDate < date } }

    /// Removes what is stored for a request, of all variants.
    public func remove(_ key: CacheKey) async { await remove(key) { _ in true } }
}
