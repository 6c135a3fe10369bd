public import NetCore

extension DiskCacheStore {
    /// A reversible change of what a store writes, such as encryption with a library and a key of your choice.
    ///
    /// Both functions are called on threads for files, concurrently, with a head or with up to 64 KiB of a body. A
    /// store checks the bytes it reads against a SHA-256 that is written with the head: a file that can't be opened,
    /// or whose content differs, is a miss and never served. Stores that share a folder need the same transform: a
    /// store with another one considers the files damaged, and removes them.
    ///
    /// The names of files are hashes of URLs: anyone who can read the folder can check whether it contains a URL they
    /// know.
    ///
    ///     @Sendable func flipped(_ bytes: Bytes) -> Bytes? { Bytes(bytes.map { ~$0 }) }
    ///     let store = DiskCacheStore(
    ///         folder: "/var/cache/shop/http", transform: DiskCacheStore.Transform(seal: flipped, open: flipped))
    public struct Transform: Sendable {
        let seal: @Sendable (Bytes) -> Bytes?
        let open: @Sendable (Bytes) -> Bytes?

        /// Creates a transform from a function and its inverse.
        ///
        /// - Parameters:
        ///   - seal: Returns the bytes to write for some bytes; nil if that's not possible, in which case nothing is
        ///     stored.
        ///   - open: Returns the original of the written bytes; nil if they're damaged.
        public init(seal: @escaping @Sendable (Bytes) -> Bytes?, open: @escaping @Sendable (Bytes) -> Bytes?) {
            self.seal = seal
            self.open = open
        }
    }
}
