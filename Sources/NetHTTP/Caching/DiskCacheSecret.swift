internal import NetCore
internal import NetCrypto
internal import Synchronization

/// The random bytes of a cache's folder, used to hash the names of logins: a file in the folder that only its owner
/// may read. Created on first use.
final class DiskCacheSecret: Sendable {
    private let path: String
    private let bytes = Mutex<Bytes?>(nil)

    static let count = 32

    init(path: String) { self.path = path }

    /// The hash of a list of names (HMAC-SHA-256, RFC 2104), in hexadecimal; nil if there is no secret. Blocks.
    func hash(of names: [String], in folder: DiskCacheFolder) -> String? {
        guard let secret = secret(in: folder) else { return nil }
        var writer = CacheRecordWriter()
        for name in names { writer.write(name) }
        return RunningHash.authentication(of: Bytes(writer.bytes), key: secret)?.hexadecimal
    }

    private func secret(in folder: DiskCacheFolder) -> Bytes? {
        if let known = bytes.withLock({ $0 }) { return known }
        // Processes that share the folder agree on the first one.
        let secret = stored() ?? (folder.make() ? folder.locked { _ in stored() ?? make() } ?? nil : nil)
        bytes.withLock { $0 = secret }
        return secret
    }

    private func stored() -> Bytes? {
        guard let file = DiskCacheFile.open(path), file.status?.length == Int64(Self.count) else { return nil }
        return file.read(at: 0, count: Self.count)
    }

    private func make() -> Bytes? {
        let secret = Bytes((0..<Self.count).map { _ in UInt8.random(in: 0 ... .max) })
        guard let file = DiskCacheFile.openOrCreate(path), file.setLength(0), file.write(secret, at: 0) else {
            return nil
        }
        return secret
    }
}
