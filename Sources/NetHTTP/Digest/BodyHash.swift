internal import CCrypto
internal import NetCore

/// One hash over bytes that come in pieces.
struct BodyHash: ~Copyable {
    private let context: OpaquePointer

    /// nil for an algorithm that is not known here, and where there is no memory left.
    init?(_ algorithm: DigestAlgorithm) {
        self.init(function: Self.function(algorithm))
    }

    /// nil where the system forbids it, as some do MD5.
    init?(_ algorithm: DigestChallenge.Algorithm) {
        switch algorithm {
        case .md5: self.init(function: EVP_md5())
        case .sha256: self.init(function: EVP_sha256())
        case .sha512256: self.init(function: EVP_sha512_256())
        }
    }

    private init?(function: OpaquePointer?) {
        guard let function, let context = EVP_MD_CTX_new() else { return nil }
        guard EVP_DigestInit_ex(context, function, nil) == 1 else {
            EVP_MD_CTX_free(context)
            return nil
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    static func isKnown(_ algorithm: DigestAlgorithm) -> Bool { algorithm == .sha256 || algorithm == .sha512 }

    private static func function(_ algorithm: DigestAlgorithm) -> OpaquePointer? {
        switch algorithm {
        case .sha256: EVP_sha256()
        case .sha512: EVP_sha512()
        default: nil
        }
    }

    mutating func update(_ bytes: Bytes) {
        bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// The digest; nothing can be added afterwards.
    mutating func finish() -> Bytes {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_DigestFinal_ex(context, &digest, &count) == 1 else { return Bytes() }
        return Bytes(digest.prefix(Int(count)))
    }

    /// The HMAC-SHA-256 of bytes under a key of at most 64 bytes (RFC 2104); nil if the system has no such hash.
    static func authentication(of bytes: Bytes, key: Bytes) -> Bytes? {
        guard key.count <= 64, var inner = BodyHash(DigestAlgorithm.sha256),
            var outer = BodyHash(DigestAlgorithm.sha256)
        else { return nil }
        let padded = Array(key) + [UInt8](repeating: 0, count: 64 - key.count)
        inner.update(Bytes(padded.map { $0 ^ 0x36 }))
        inner.update(bytes)
        outer.update(Bytes(padded.map { $0 ^ 0x5C }))
        outer.update(inner.finish())
        return outer.finish()
    }

    /// The digest of bytes that are there; nil for an algorithm that is not known here.
    static func digest(of bytes: Bytes, _ algorithm: DigestAlgorithm) -> Bytes? {
        guard var hash = BodyHash(algorithm) else { return nil }
        hash.update(bytes)
        return hash.finish()
    }
}

extension DigestChallenge.Algorithm {
    /// The hash of a text in small hexadecimal digits; nil where the system forbids it.
    func hash(_ text: String) -> String? {
        guard var hash = BodyHash(self) else { return nil }
        hash.update(Bytes(text.utf8))
        return hash.finish().hexadecimal
    }
}

extension Bytes {
    /// Two small digits for each byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// The hashes of one body, by all algorithms that matter for it.
struct BodyHashes: ~Copyable {
    private var sha256: BodyHash?
    private var sha512: BodyHash?

    init(_ algorithms: Set<DigestAlgorithm>) {
        if algorithms.contains(.sha256) { sha256 = BodyHash(DigestAlgorithm.sha256) }
        if algorithms.contains(.sha512) { sha512 = BodyHash(DigestAlgorithm.sha512) }
    }

    mutating func update(_ bytes: Bytes) {
        sha256?.update(bytes)
        sha512?.update(bytes)
    }

    mutating func finish() -> [DigestAlgorithm: Bytes] {
        var digests: [DigestAlgorithm: Bytes] = [:]
        digests[.sha256] = sha256?.finish()
        digests[.sha512] = sha512?.finish()
        return digests
    }
}
