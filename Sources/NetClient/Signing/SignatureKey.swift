public import NetCore
internal import NetCrypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A key for signatures of HTTP messages (RFC 9421 section 3.3). Its description never shows the key.
///
///     let key = try SignatureKey(.ed25519, pem: .file("/etc/app/signing.pem"), id: "app-2024")
///     let shared = SignatureKey(sharedSecret: Bytes("a long and unpredictable secret".utf8), id: "app")
///     print(key, shared)  // ed25519 key app-2024 hmac-sha256 key app
public struct SignatureKey: Sendable {
    /// The algorithm of a key. The set is open: a key that signs with a closure may have any algorithm.
    public struct Algorithm: Sendable, Hashable, RawRepresentable {
        /// The name in the registry of HTTP signature algorithms.
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// HMAC with SHA-256 and a secret that both sides know.
        public static let hmacSHA256 = Algorithm(rawValue: "hmac-sha256")
        /// Ed25519.
        public static let ed25519 = Algorithm(rawValue: "ed25519")
        /// ECDSA over P-256 with SHA-256.
        public static let ecdsaP256 = Algorithm(rawValue: "ecdsa-p256-sha256")
        /// ECDSA over P-384 with SHA-384.
        public static let ecdsaP384 = Algorithm(rawValue: "ecdsa-p384-sha384")
        /// RSASSA-PSS with SHA-512.
        public static let rsaPSS = Algorithm(rawValue: "rsa-pss-sha512")
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        public static let rsa = Algorithm(rawValue: "rsa-v1_5-sha256")

        fileprivate var scheme: KeyPair.Scheme? {
            switch self {
            case .ed25519: .ed25519
            case .ecdsaP256: .ecdsaP256
            case .ecdsaP384: .ecdsaP384
            case .rsaPSS: .rsaPSS
            case .rsa: .rsa
            default: nil
            }
        }
    }

    private enum Material: Sendable {
        case secret(Bytes)
        case pair(KeyPair)
        case closure(@Sendable (Bytes) async throws -> Bytes)
    }

    /// The algorithm.
    public let algorithm: Algorithm
    /// The name by which the other side identifies the key, sent as `keyid`; nil to not send one.
    public let id: String?
    private let material: Material
    /// The identity of the key's holder.
    let identity = CallIdentity.unique()

    /// Creates a key from a secret that both sides know, for HMAC with SHA-256.
    public init(sharedSecret secret: Bytes, id: String? = nil) {
        (algorithm, self.id, material) = (.hmacSHA256, id, .secret(secret))
    }

    /// Reads a private key, or a public key, which can only verify.
    ///
    /// Throws `.invalidRequest` if the file can't be read, if it doesn't contain a key, if the key is encrypted, of a
    /// different kind than the algorithm, or an RSA key of less than 2048 bits. Throws `.unsupported` for an algorithm
    /// that isn't one of those named here.
    public init(_ algorithm: Algorithm, pem: PEM, id: String? = nil) throws(NetError) {
        guard let scheme = algorithm.scheme else {
            throw NetError(
                .unsupported, phase: .preparing, message: "\(algorithm.rawValue) isn't an algorithm with a key in PEM")
        }
        guard let text = Self.text(pem), let pair = KeyPair(pem: text, scheme) else {
            throw NetError(
                .invalidRequest, phase: .preparing,
                message: "\(pem) has no key for \(algorithm.rawValue) that can be read without a pass phrase")
        }
        (self.algorithm, self.id, material) = (algorithm, id, .pair(pair))
    }

    /// Creates a key that is kept elsewhere, for example in a hardware module or a key service. It can't verify.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm of the signatures.
    ///   - id: The name of the key. Default nil.
    ///   - sign: Returns the signature of the given bytes.
    public init(
        _ algorithm: Algorithm, id: String? = nil, sign: @escaping @Sendable (Bytes) async throws -> Bytes
    ) {
        (self.algorithm, self.id, material) = (algorithm, id, .closure(sign))
    }

    private static func text(_ pem: PEM) -> String? {
        switch pem.source {
        case .text(let text): text
        case .file(let path): try? String(contentsOfFile: path, encoding: .utf8)
        }
    }

    /// Returns the signature of the given bytes. Throws `.unsupported` if the key is public or the system forbids the
    /// algorithm, and the error of the closure.
    public func sign(_ bytes: Bytes) async throws -> Bytes {
        let signature: Bytes? =
            switch material {
            case .secret(let secret): RunningHash.authentication(of: bytes, key: secret)
            case .pair(let pair): pair.sign(bytes)
            case .closure(let sign): try await sign(bytes)
            }
        guard let signature else {
            throw NetError(
                .unsupported, phase: .preparing,
                message: "the key can't sign: it is public, or the system forbids \(algorithm.rawValue)")
        }
        return signature
    }

    /// Returns true if the signature of the given bytes was made with this key. Always false for a key that signs with
    /// a closure.
    public func verify(_ signature: Bytes, of bytes: Bytes) -> Bool {
        switch material {
        case .secret(let secret):
            RunningHash.authentication(of: bytes, key: secret).map { RunningHash.isEqual($0, signature) } ?? false
        case .pair(let pair): pair.verify(signature, of: bytes)
        case .closure: false
        }
    }
}

extension SignatureKey: CustomStringConvertible, CustomReflectable {
    /// The algorithm and the key's name.
    public var description: String { "\(algorithm.rawValue) key" + (id.map { " \($0)" } ?? "") }
    public var customMirror: Mirror { Mirror(self, children: ["key": description], displayStyle: .struct) }
}
