internal import NetCore
internal import NetCrypto

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The files of a disk cache. All functions block, and are called on threads for files.
///
/// | file | content | changes |
/// |---|---|---|
/// | `KEY.head` | the heads under a key, sealed by a SHA-256 | replaced as a whole, under the lock |
/// | `KEY-ID.body` | a body; the head holds its length and SHA-256 | never |
/// | `….draft` | a file being written; its writer holds its lock | becomes one of the above, under the lock |
/// | `secret` | random bytes, used to hash the names of logins | never |
/// | `count` | the size of all files in bytes, or more; its lock is the folder's | under the lock |
///
/// Readers take no lock. Space is counted before bytes are written, and a draft has the length of its space from the
/// start: a process that dies halfway leaves the count too high, never too low. Unreferenced files are removed when
/// the count reaches the limit; one process then walks the folder.
struct DiskCacheFolder: Sendable {
    let path: String
    let maximumBytes: Int64
    let transform: DiskCacheStore.Transform?
    private let secret: DiskCacheSecret

    init(path: String, maximumBytes: Int64, transform: DiskCacheStore.Transform?) {
        self.path = path
        self.maximumBytes = maximumBytes
        self.transform = transform
        secret = DiskCacheSecret(path: "\(path)/secret")
    }

    /// The key from which the file names are derived: the login's name is replaced by a hash that only this folder
    /// can compute. Nil if the folder has no secret, and can't create one.
    func sealed(_ key: CacheKey) -> CacheKey? {
        if key.identity == .everyone || key.identity.seal != nil { return key }
        return secret.hash(of: key.identity.names, in: self).map { key.sealed(.sealed($0)) }
    }

    /// The maximum time to wait for the lock, in milliseconds.
    static let lockWait = 2_000
    /// The interval at which a file's time of use is written, in seconds.
    static let touchInterval: Int64 = 60

    /// The percentage of a full folder that a sweep keeps: not every new entry requires a sweep.
    static let keptHundredths: Int64 = 90

    static let countFileBytes: Int64 = 16

    func headPath(_ name: String) -> String { "\(path)/\(name).head" }
    func bodyPath(_ name: String, _ id: CacheEntry.ID) -> String {
        "\(path)/\(name)-\(id.rawValue.paddedHexadecimal).body"
    }
    func draftPath() -> String { "\(path)/\(getpid())-\(UInt64.random(in: 0 ... .max)).draft" }

    /// The file name of a key: half a hash.
    static func name(_ key: CacheKey) -> String {
        let digest =
            RunningHash.digest(
                of: Bytes((key.url + "\u{0}" + key.partition + "\u{0}" + (key.identity.seal ?? "")).utf8), .sha256)
            ?? Bytes()
        return digest[0..<min(16, digest.count)].hexadecimal
    }

    /// Creates the folder and its parents, accessible to the owner only; false if that fails.
    func make() -> Bool {
        var place = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            place += "/" + part
            if mkdir(place, 0o700) != 0, errno != EEXIST { return false }
        }
        return access(path, R_OK | W_OK | X_OK) == 0
    }

    // MARK: Reading

    /// Decodes the heads and their key from a file's bytes; nil if they were changed.
    func decoded(_ file: Bytes) -> (key: CacheKey, entries: [CacheEntry])? {
        guard let transform else { return CacheEntryCoding.decode(file) }
        return transform.open(file).flatMap(CacheEntryCoding.decode)
    }

    /// Encodes the heads; nil if the transform fails.
    func encoded(_ entries: [CacheEntry], _ key: CacheKey) -> Bytes? {
        let file = CacheEntryCoding.encode(entries, key: key)
        guard let transform else { return file }
        return transform.seal(file)
    }

    /// The content of a head file.
    enum Head {
        case absent
        case damaged
        case entries([CacheEntry], length: Int64)

        var entries: [CacheEntry] { if case .entries(let entries, _) = self { entries } else { [] } }
        var length: Int64 { if case .entries(_, let length) = self { length } else { 0 } }
    }

    /// Returns the heads under a key, and updates their time of use.
    func head(of key: CacheKey, _ name: String, now: Int64? = nil) -> Head {
        // A file that can't be opened isn't necessarily damaged.
        guard let file = DiskCacheFile.open(headPath(name)) else { return .absent }
        guard let (length, used) = file.status, length <= 16 << 20,
            let bytes = length == 0 ? Bytes() : file.read(at: 0, count: Int(length)),
            let (stored, entries) = decoded(bytes), stored == key
        else { return .damaged }
        if let now, now - used >= Self.touchInterval || used > now { file.touch() }
        return .entries(entries, length: length)
    }

    // MARK: The lock and the count

    /// Runs `body` while no other process or thread changes the folder; nil if the lock can't be acquired in time.
    func locked<Value>(_ body: (inout Count) -> Value) -> Value? {
        guard let file = DiskCacheFile.openOrCreate("\(path)/count") else { return nil }
        var waited = 0
        while !file.lock() {
            guard waited < Self.lockWait else { return nil }
            usleep(1000)
            waited += 1
        }
        var count = Count(file)
        if count.value == nil { sweep(&count, making: 0) }
        return body(&count)
    }

    /// The bytes of all files, or more. Stored with its complement; anything else is invalid.
    struct Count {
        private let file: DiskCacheFile
        private(set) var value: Int64?

        init(_ file: DiskCacheFile) {
            self.file = file
            guard file.status?.length == countFileBytes, let bytes = file.read(at: 0, count: 16) else { return }
            var reader = CacheRecordReader(bytes)
            guard let number = reader.number(), let complement = reader.number(), number == ~complement else { return }
            value = Int64(bitPattern: number)
        }

        /// False if the count can't be written; it's unknown from then on.
        @discardableResult
        mutating func set(_ value: Int64) -> Bool {
            var writer = CacheRecordWriter()
            writer.write(UInt64(bitPattern: max(0, value)))
            writer.write(~UInt64(bitPattern: max(0, value)))
            self.value = file.write(Bytes(writer.bytes), at: 0) ? max(0, value) : nil
            return self.value != nil
        }

        mutating func add(_ bytes: Int64) { if let value { set(value + bytes) } }
    }

    /// Reserves space before it's used; false if there isn't enough, even after a sweep.
    func reserve(_ bytes: Int64, _ count: inout Count) -> Bool {
        guard bytes <= maximumBytes else { return false }
        // The limit may be the largest integer: nothing is added to it.
        if (count.value ?? maximumBytes) > maximumBytes - bytes { sweep(&count, making: bytes) }
        guard let value = count.value, value <= maximumBytes - bytes else { return false }
        return count.set(value + bytes)
    }
}
