internal import CCrypto
package import NetCore

/// A hash over bytes that arrive in pieces.
package struct RunningHash: ~Copyable {
    private let context: OpaquePointer

    /// Creates a hash; nil if the system forbids the function, or if memory runs out.
    package init?(_ function: HashFunction) {
        guard let implementation = function.implementation, let context = EVP_MD_CTX_new() else { return nil }
        guard EVP_DigestInit_ex(context, implementation, nil) == 1 else {
            EVP_MD_CTX_free(context)
            return nil
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: Bytes) {
        bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// Returns the digest and ends the computation; don't call `update` or `finish` again.
    package mutating func finish() -> Bytes {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_DigestFinal_ex(context, &digest, &count) == 1 else { return Bytes() }
        return Bytes(digest.prefix(Int(count)))
    }

    /// Returns the digest of the given bytes; nil if the system forbids the function.
    package static func digest(of bytes: Bytes, _ function: HashFunction) -> Bytes? {
        guard var hash = RunningHash(function) else { return nil }
        hash.update(bytes)
        return hash.finish()
    }

    /// Returns the HMAC-SHA-256 of the given bytes (RFC 2104); nil if the system forbids SHA-256.
    package static func authentication(of bytes: Bytes, key: Bytes) -> Bytes? {
        guard key.count <= 64 else {
            guard let short = digest(of: key, .sha256) else { return nil }
            return authentication(of: bytes, key: short)
        }
        guard var inner = RunningHash(.sha256), var outer = RunningHash(.sha256) else { return nil }
        let padded = Array(key) + [UInt8](repeating: 0, count: 64 - key.count)
        inner.update(Bytes(padded.map { $0 ^ 0x36 }))
        inner.update(bytes)
        outer.update(Bytes(padded.map { $0 ^ 0x5C }))
        outer.update(inner.finish())
        return outer.finish()
    }

    /// Returns true if both contain the same bytes, in a time that depends only on their length.
    package static func isEqual(_ left: Bytes, _ right: Bytes) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { a in
            right.withUnsafeBytes { b in CRYPTO_memcmp(a.baseAddress, b.baseAddress, a.count) == 0 }
        }
    }
}
