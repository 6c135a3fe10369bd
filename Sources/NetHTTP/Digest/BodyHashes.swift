internal import NetCore
internal import NetCrypto

/// The hashes of one body, one for each algorithm that its digests need.
struct BodyHashes: ~Copyable {
    private var sha256: RunningHash?
    private var sha512: RunningHash?

    init(_ algorithms: Set<DigestAlgorithm>) {
        if algorithms.contains(.sha256) { sha256 = RunningHash(.sha256) }
        if algorithms.contains(.sha512) { sha512 = RunningHash(.sha512) }
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

extension DigestAlgorithm {
    /// The hash function of this algorithm; nil if it isn't supported.
    var function: HashFunction? {
        switch self {
        case .sha256: .sha256
        case .sha512: .sha512
        default: nil
        }
    }
}
