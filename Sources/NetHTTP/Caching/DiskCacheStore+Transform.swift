public import NetCore

extension DiskCacheStore {
    /// A reversible change of what a store writes, such as encryption with a library and a key of your choice.
    ///
    /// Both functions are called on threads for files, several at a time, with a head or with up to 64 KiB of a body. A
    /// store compares what it has read with a SHA-256 that is written with the head: a file that doesn't open, or holds
    /// something else, is missed and never served. Stores that share a folder need the same transform: to any other, the
    /// files are damaged, and it removes them.
    ///
    /// The names of files are hashes of URLs: who can read the folder can tell whether a URL that they know is in it.
    ///
    ///     func rot13(_ bytes: Bytes) -> Bytes { Bytes(bytes.map { $0 ^ 13 }) }
    ///     let store = DiskCacheStore(
    ///         folder: "/var/cache/shop/http", transform: DiskCacheStore.Transform(seal: rot13, open: rot13))
    public struct Transform: Sendable {
        let seal: @Sendable (Bytes) -> Bytes?
        let open: @Sendable (Bytes) -> Bytes?

        /// Creates a transform from a function and its inverse.
        ///
        /// - Parameters:
        ///   - seal: Returns what is written for some bytes; nil if they can't be written, which stores nothing.
        ///   - open: Returns the bytes for what was written; nil if it is damaged.
        public init(seal: @escaping @Sendable (Bytes) -> Bytes?, open: @escaping @Sendable (Bytes) -> Bytes?) {
            self.seal = seal
            self.open = open
        }
    }
}
