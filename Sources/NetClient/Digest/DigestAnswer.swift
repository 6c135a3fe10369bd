/// The strings that one Digest response hashes and sends (RFC 7616 section 3.4); the hash function is passed in.
package struct DigestAnswer: Sendable {
    /// Returns the hash of a string in lowercase hexadecimal; nil if the system forbids the function.
    package typealias Hash = (String) -> String?

    package let challenge: DigestChallenge
    package let uri: String
    package let cnonce: String
    /// The number of requests sent with this nonce, including this one.
    package let count: UInt32
    /// The quality of protection (`qop`); nil for RFC 2069.
    package let protection: DigestChallenge.Protection?

    package init(
        to challenge: DigestChallenge, uri: String, cnonce: String, count: UInt32,
        protection: DigestChallenge.Protection?
    ) {
        self.challenge = challenge
        self.uri = uri
        self.cnonce = cnonce
        self.count = count
        self.protection = protection
    }

    package var countText: String { count.paddedHexadecimal }

    /// True if the name is sent as `username*`.
    func hasExtendedForm(_ user: String) -> Bool {
        challenge.isUTF8 && !challenge.hashesUser && !user.utf8.allSatisfy { $0 < 128 }
    }

    /// Returns H(A1), the secret that both sides know; nil if the system forbids the hash.
    package func key(user: String, password: String, hash: Hash) -> String? {
        guard let key = hash("\(user):\(challenge.realm):\(password)") else { return nil }
        return challenge.isSession ? hash("\(key):\(challenge.sessionNonce):\(cnonce)") : key
    }

    /// Returns the proof of knowing `key`; nil if the system forbids the hash.
    ///
    /// - Parameters:
    ///   - key: The result of ``key(user:password:hash:)``.
    ///   - method: The request's method; empty for the server's own proof (section 3.5).
    ///   - bodyHash: The hash of the body, for `auth-int`.
    ///   - hash: Computes the hash of a string.
    package func proof(key: String, method: String, bodyHash: String, hash: Hash) -> String? {
        let target = "\(method):\(uri)" + (protection == .integrity ? ":\(bodyHash)" : "")
        guard let target = hash(target) else { return nil }
        guard let protection else { return hash("\(key):\(challenge.nonce):\(target)") }
        return hash("\(key):\(challenge.nonce):\(countText):\(cnonce):\(protection.rawValue):\(target)")
    }

    /// Returns the `Authorization` header, whose values are quoted or not as section 3.4 requires.
    ///
    /// Throws `.invalidRequest` if `user` contains control characters.
    ///
    /// - Parameter isPlain: True to send a name with other characters than ASCII as UTF-8 in quotes, instead of as
    ///   `username*` (section 3.4): some servers that announce UTF-8 can't read that.
    package func authorization(
        user: String, proof: String, isPlain: Bool = false, hash: Hash
    ) throws(NetError) -> Authorization {
        guard FieldValueReader.canQuote(user) else {
            throw NetError(
                .invalidRequest, phase: .preparing, message: "Digest cannot send a user name with control characters")
        }
        func quoted(_ name: String, _ value: String) -> String { "\(name)=\(FieldValueReader.inQuotes(value))" }
        var parts: [String] = []
        if challenge.hashesUser, let hashed = hash("\(user):\(challenge.realm)") {
            parts.append(quoted("username", hashed))
        } else if !isPlain, hasExtendedForm(user) {
            parts.append("username*=\(ExtendedValue.encode(user))")
        } else {
            parts.append(quoted("username", user))
        }
        parts += [quoted("realm", challenge.realm), quoted("nonce", challenge.nonce), quoted("uri", uri)]
        parts.append(quoted("response", proof))
        if let name = challenge.algorithmText, FieldValueReader.isToken(name) { parts.append("algorithm=\(name)") }
        if let opaque = challenge.opaque { parts.append(quoted("opaque", opaque)) }
        if let protection {
            parts += ["qop=\(protection.rawValue)", "nc=\(countText)", quoted("cnonce", cnonce)]
        } else if challenge.isSession {
            parts.append(quoted("cnonce", cnonce))
        }
        if challenge.hashesUser { parts.append("userhash=true") }
        return try Authorization(scheme: "Digest", credentials: parts.joined(separator: ", "))
    }
}
