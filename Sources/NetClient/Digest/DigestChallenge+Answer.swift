public import NetCore
internal import NetCrypto

extension DigestChallenge {
    /// The field that answers this challenge for one request, as ``DigestMiddleware`` sends it: for a request that goes
    /// another way, such as the handshake of a WebSocket.
    ///
    /// Throws `.invalidRequest` for a user with control characters, and `.unsupported` where the system has no such hash.
    ///
    ///     let challenges = AuthChallenge.list("Digest realm=\"a\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256")
    ///     if let challenge = DigestChallenge.strongest(of: challenges) {
    ///         let field = try challenge.authorization(
    ///             user: "ann", password: "geheim", method: "GET", uri: "/chat", cnonce: "0a4f113b")
    ///         print(field.scheme)
    ///     }
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - password: The password.
    ///   - method: The method.
    ///   - uri: Path and query as they go out.
    ///   - cnonce: A number of the client that nobody can guess.
    ///   - count: How often this nonce is used, this time included. Default 1.
    ///   - protection: What is protected. Default nil: the least that the server accepts.
    ///   - body: The body, for ``Protection/integrity``. Default empty.
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
    /// What is used of what a server accepts; nil where it accepts none, as RFC 2069 had it.
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
