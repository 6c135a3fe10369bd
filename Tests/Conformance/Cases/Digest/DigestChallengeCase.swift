import NetHTTP

/// A header, and the challenges in it.
struct DigestChallengeCase: Decodable {
    let id, field: String
    let schemes: [[JSONValue]]

    /// Returns the problem; nil if everything is as expected.
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
