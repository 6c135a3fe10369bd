internal import CCrypto

/// A hash function of libcrypto. A system may forbid some of them, such as MD5.
package enum HashFunction: Sendable {
    case md5
    case sha1
    case sha256
    case sha512
    /// SHA-512/256, as Digest authentication names it.
    case sha512256

    var implementation: OpaquePointer? {
        switch self {
        case .md5: EVP_md5()
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha512: EVP_sha512()
        case .sha512256: EVP_sha512_256()
        }
    }
}
