internal import CCrypto
internal import NetCore

/// One hash over bytes that come in pieces.
struct BodyHash: ~Copyable {
    private let context: OpaquePointer

    /// nil for an algorithm that is not known here, and where there is no memory left.
    init?(_ algorithm: DigestAlgorithm) {
        guard let function = Self.function(algorithm), let context = EVP_MD_CTX_new() else { return nil }
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

    /// The digest of bytes that are there; nil for an algorithm that is not known here.
    static func digest(of bytes: Bytes, _ algorithm: DigestAlgorithm) -> Bytes? {
        guard var hash = BodyHash(algorithm) else { return nil }
        hash.update(bytes)
        return hash.finish()
    }
}

/// The hashes of one body, by all algorithms that matter for it.
struct BodyHashes: ~Copyable {
    private var sha256: BodyHash?
    private var sha512: BodyHash?

    init(_ algorithms: Set<DigestAlgorithm>) {
        if algorithms.contains(.sha256) { sha256 = BodyHash(.sha256) }
        if algorithms.contains(.sha512) { sha512 = BodyHash(.sha512) }
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
