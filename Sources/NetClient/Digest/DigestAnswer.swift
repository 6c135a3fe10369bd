/// The texts of one Digest exchange that are hashed and sent (RFC 7616 section 3.4): everything but the hashing.
package struct DigestAnswer: Sendable {
    /// A hash of bytes, as small hexadecimal digits; nil where the system has none.
    package typealias Hash = (String) -> String?

    package let challenge: DigestChallenge
    package let uri: String
    package let cnonce: String
    /// How often the nonce was used, this time included.
    package let count: UInt32
    /// Nil for RFC 2069.
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

    /// H(A1): the secret that both sides know.
    package func key(user: String, password: String, hash: Hash) -> String? {
        guard let key = hash("\(user):\(challenge.realm):\(password)") else { return nil }
        return challenge.isSession ? hash("\(key):\(challenge.sessionNonce):\(cnonce)") : key
    }

    /// What proves the knowledge of a key for a method; an empty method for the server's own proof (section 3.5).
    ///
    /// - Parameter bodyHash: The hash of the body, for `auth-int`.
    package func proof(key: String, method: String, bodyHash: String, hash: Hash) -> String? {
        let target = "\(method):\(uri)" + (protection == .integrity ? ":\(bodyHash)" : "")
        guard let target = hash(target) else { return nil }
        guard let protection else { return hash("\(key):\(challenge.nonce):\(target)") }
        return hash("\(key):\(challenge.nonce):\(countText):\(cnonce):\(protection.rawValue):\(target)")
    }

    /// The field, its values quoted or not as section 3.4 says.
    package func authorization(user: String, proof: String, hash: Hash) throws(NetError) -> Authorization {
        guard FieldValueReader.canQuote(user) else {
            throw NetError(
                .invalidRequest, phase: .preparing, message: "Digest cannot send a user with control characters")
        }
        func quoted(_ name: String, _ value: String) -> String { "\(name)=\(FieldValueReader.inQuotes(value))" }
        var parts: [String] = []
        if challenge.hashesUser, let hashed = hash("\(user):\(challenge.realm)") {
            parts.append(quoted("username", hashed))
        } else if challenge.isUTF8, !user.utf8.allSatisfy({ $0 < 128 }) {
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
