#if Server
internal import CCrypto
internal import NetCore

/// SHA-256 over bytes that come in pieces.
///
/// `@unchecked Sendable`: one exchange owns it and feeds it from one task at a time.
final class SHA256Digest: @unchecked Sendable {
    /// The digest of no bytes at all.
    static let ofNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private let context: OpaquePointer?

    init() {
        context = EVP_MD_CTX_new()
        EVP_DigestInit_ex(context, EVP_sha256(), nil)
    }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: Bytes) {
        bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// The digest in lower-case hexadecimal. Ends the computation.
    func finish() -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_DigestFinal_ex(context, &digest, &count) == 1 else { return "" }
        let hex = Array("0123456789abcdef".utf8)
        let digits = digest.prefix(Int(count)).flatMap { [hex[Int($0 >> 4)], hex[Int($0 & 15)]] }
        return String(decoding: digits, as: UTF8.self)
    }
}
#endif
