internal import CCrypto
package import NetCore

/// An asymmetric key of libcrypto. It verifies, and also signs if it is private.
///
/// `@unchecked Sendable`: the key never changes, and libcrypto counts its references atomically.
package final class KeyPair: @unchecked Sendable {
    /// The signature scheme.
    package enum Scheme: Sendable {
        case ed25519
        /// P-256 with SHA-256; a signature consists of two numbers of 32 bytes.
        case ecdsaP256
        /// P-384 with SHA-384; a signature consists of two numbers of 48 bytes.
        case ecdsaP384
        /// SHA-512 with a salt of 64 bytes.
        case rsaPSS
        /// PKCS #1 v1.5 with SHA-256.
        case rsa

        fileprivate var hash: OpaquePointer? {
            switch self {
            case .ed25519: nil
            case .ecdsaP256, .rsa: EVP_sha256()
            case .ecdsaP384: EVP_sha384()
            case .rsaPSS: EVP_sha512()
            }
        }

        fileprivate var salt: Int32 { self == .rsaPSS ? 64 : 0 }

        /// The size of each number of an ECDSA signature; nil for others.
        fileprivate var numberSize: Int? {
            switch self {
            case .ecdsaP256: 32
            case .ecdsaP384: 48
            case .ed25519, .rsaPSS, .rsa: nil
            }
        }

        fileprivate func fits(_ key: OpaquePointer) -> Bool {
            switch (self, EVP_PKEY_get_base_id(key)) {
            case (.ed25519, EVP_PKEY_ED25519): true
            case (.ecdsaP256, EVP_PKEY_EC): EVP_PKEY_get_bits(key) == 256
            case (.ecdsaP384, EVP_PKEY_EC): EVP_PKEY_get_bits(key) == 384
            case (.rsaPSS, EVP_PKEY_RSA), (.rsaPSS, EVP_PKEY_RSA_PSS), (.rsa, EVP_PKEY_RSA):
                EVP_PKEY_get_bits(key) >= 2048
            default: false
            }
        }
    }

    private let key: OpaquePointer
    private let scheme: Scheme
    /// True if the key can sign.
    package let isPrivate: Bool

    /// Reads a private or public key in PEM; nil if it can't be read, or if it is of another kind or too short.
    package init?(pem: String, _ scheme: Scheme) {
        var pem = pem
        let isPrivate = pem.contains("PRIVATE KEY-----")
        let key = pem.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                net_crypto_read_key($0.baseAddress, Int32($0.count), isPrivate ? 1 : 0)
            }
        }
        guard let key else { return nil }
        guard scheme.fits(key) else {
            EVP_PKEY_free(key)
            return nil
        }
        self.key = key
        self.scheme = scheme
        self.isPrivate = isPrivate
    }

    deinit { EVP_PKEY_free(key) }

    /// Returns the signature of the given bytes; nil if the key is public or libcrypto refuses.
    package func sign(_ bytes: Bytes) -> Bytes? {
        guard isPrivate, let context = net_crypto_signing(key, scheme.hash, scheme.salt, 1) else { return nil }
        defer { EVP_MD_CTX_free(context) }
        var count = Int(EVP_PKEY_get_size(key))
        var output = [UInt8](repeating: 0, count: count)
        let status = bytes.withUnsafeBytes {
            EVP_DigestSign(context, &output, &count, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
        }
        guard status == 1 else { return nil }
        guard let size = scheme.numberSize else { return Bytes(output.prefix(count)) }
        var numbers = [UInt8](repeating: 0, count: 2 * size)
        guard net_crypto_ecdsa_numbers(output, count, &numbers, Int32(size)) == 1 else { return nil }
        return Bytes(numbers)
    }

    /// Returns true if the signature of the given bytes is correct.
    package func verify(_ signature: Bytes, of bytes: Bytes) -> Bool {
        guard let size = scheme.numberSize else { return verify(encoded: signature, of: bytes) }
        guard signature.count == 2 * size else { return false }
        var der: UnsafeMutablePointer<UInt8>?
        let count = net_crypto_ecdsa_der(Array(signature), Int32(size), &der)
        defer { free(der) }
        guard count > 0, let der else { return false }
        return verify(encoded: Bytes(UnsafeBufferPointer(start: der, count: Int(count))), of: bytes)
    }

    private func verify(encoded signature: Bytes, of bytes: Bytes) -> Bool {
        guard let context = net_crypto_signing(key, scheme.hash, scheme.salt, 0) else { return false }
        defer { EVP_MD_CTX_free(context) }
        let status = bytes.withUnsafeBytes { message in
            signature.withUnsafeBytes { signature in
                EVP_DigestVerify(
                    context, signature.bindMemory(to: UInt8.self).baseAddress, signature.count,
                    message.bindMemory(to: UInt8.self).baseAddress, message.count)
            }
        }
        ERR_clear_error()
        return status == 1
    }
}
