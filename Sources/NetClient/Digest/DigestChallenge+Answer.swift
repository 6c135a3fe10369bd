public import NetCore
internal import NetCrypto

extension DigestChallenge {
    /// Returns the `Authorization` header that responds to this challenge, as ``DigestMiddleware`` sends it.
    ///
    /// Use it for requests that don't pass through the middleware, such as a WebSocket handshake. Throws
    /// `.invalidRequest` if `user` contains control characters, and `.unsupported` if the system forbids the hash.
    ///
    ///     let challenges = AuthChallenge.list("Digest realm=\"a\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256")
    ///     if let challenge = DigestChallenge.strongest(of: challenges) {
    ///         let field = try challenge.authorization(
    ///             user: "ann", password: "geheim", method: "GET", uri: "/chat", cnonce: "0a4f113b")
    ///         print(field.scheme)
    ///     }
    ///
    /// - Parameters:
    ///   - user: The username.
    ///   - password: The password.
    ///   - method: The request's method.
    ///   - uri: The path and query exactly as they are sent.
    ///   - cnonce: The client's nonce, which must be unpredictable.
    ///   - count: The number of requests sent with this nonce, including this one. Default 1.
    ///   - protection: The part of the request to protect. Default nil: the least that the server accepts.
    ///   - body: The request's body, for ``Protection/integrity``. Default empty.
    public func authorization(
        user: String, password: String, method: String, uri: String, cnonce: String, count: UInt32 = 1,
        protection: Protection? = nil, body: Bytes = Bytes()
    ) throws(NetError) -> Authorization {
        let protection = protection ?? Protection.chosen(from: protections, prefersIntegrity: false)
        let answer = DigestAnswer(to: self, uri: uri, cnonce: cnonce, count: count, protection: protection)
        guard var hash = RunningHash(algorithm.function) else { throw Self.noHash(algorithm) }
        hash.update(body)
        let bodyHash = hash.finish().hexadecimal
        guard let key = answer.key(user: user, password: password, hash: algorithm.hash),
            let proof = answer.proof(key: key, method: method, bodyHash: bodyHash, hash: algorithm.hash)
        else { throw Self.noHash(algorithm) }
        return try answer.authorization(user: user, proof: proof, hash: algorithm.hash)
    }

    static func noHash(_ algorithm: Algorithm) -> NetError {
        NetError(
            .unsupported, phase: .preparing,
            message: "the system's libcrypto forbids \(algorithm.name), which Digest needs"
        )
    }
}

extension DigestChallenge.Protection {
    /// Returns the protection to use of those offered; nil if the server offers none, as in RFC 2069.
    static func chosen(from offered: Set<Self>, prefersIntegrity: Bool) -> Self? {
        let order: [Self] = prefersIntegrity ? [.integrity, .authentication] : [.authentication, .integrity]
        return order.first { offered.contains($0) }
    }
}

extension DigestChallenge.Algorithm {
    var function: HashFunction {
        switch self {
        case .md5: .md5
        case .sha256: .sha256
        case .sha512256: .sha512256
        }
    }

    /// Returns the hash of a text in lowercase hexadecimal; nil if the system forbids the function.
    func hash(_ text: String) -> String? { RunningHash.digest(of: Bytes(text.utf8), function)?.hexadecimal }
}
