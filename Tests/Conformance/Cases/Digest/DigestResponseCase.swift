import NetHTTP

/// An expected Digest response.
struct DigestResponseCase: Decodable {
    let id, username, password, realm, nonce, opaque, method, uri, cnonce, nc, algorithm, response: String
    let qop, entity, usernameHash: String?
    let userhash: Bool?

    private enum CodingKeys: String, CodingKey {
        case id, username, password, realm, nonce, opaque, method, uri, cnonce, nc, algorithm, response
        case qop, entity, userhash
        case usernameHash = "username_hash"
    }

    /// Returns the problem; nil if everything is as expected.
    func problem() throws -> String? {
        var parameters: [FieldParameter] = [
            .init("realm", realm), .init("nonce", nonce), .init("opaque", opaque), .init("algorithm", algorithm),
        ]
        if let qop { parameters.append(.init("qop", qop)) }
        if userhash == true { parameters.append(.init("userhash", "true")) }
        let field = try AuthChallenge(scheme: "Digest", parameters: parameters).value
        guard let challenge = DigestChallenge.strongest(of: AuthChallenge.list(field)) else {
            return "the challenge is not understood: \(field)"
        }
        let values = try challenge.authorization(
            user: username, password: password, method: method, uri: uri, cnonce: cnonce,
            count: UInt32(nc, radix: 16) ?? 0, body: Bytes((entity ?? "").utf8)
        ).parameters
        let expected = [
            ("response", response), ("username", usernameHash ?? username), ("uri", uri), ("nonce", nonce),
            ("opaque", opaque),
        ]
        for (name, value) in expected {
            let found = values.first { $0.name == name }?.value
            if found != value { return "\(name) is \(found ?? "missing"), expected \(value)" }
        }
        return nil
    }
}
