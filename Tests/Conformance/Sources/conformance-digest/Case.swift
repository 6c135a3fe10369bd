import HTTPTypes
import NetHTTP

/// An expected Digest response.
struct Vector: Decodable {
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

/// A header, and the challenges in it.
struct FieldCase: Decodable {
    let id, field: String
    let schemes: [[JSONValue]]

    func problem() -> String? {
        let read = AuthChallenge.list(field).map { challenge -> [JSONValue] in
            let scheme = JSONValue.string(challenge.scheme.lowercased())
            if let token = challenge.token68 { return [scheme, .string(token)] }
            let pairs = challenge.parameters.map { ($0.name, JSONValue.string($0.value)) }
            return [scheme, .object(Dictionary(uniqueKeysWithValues: pairs))]
        }
        return read == schemes ? nil : "read \(read), expected \(schemes)"
    }
}
