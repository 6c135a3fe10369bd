/// The calls in which secrets are planted, as the checker has composed them from its data.
struct Plan: Decodable, Sendable {
    let runs: [Run]
    let matches: [Match]
}

/// The calls that plant their secrets in one place. They share a store, recordings and logs.
struct Run: Decodable, Sendable {
    let place: String
    let calls: [Call]
}

/// A request, or an opening handshake, with the response of the server.
struct Call: Decodable, Sendable {
    struct Reply: Decodable, Sendable {
        let headers: [[String]]
        let contentType: String?
        let body: String?
    }

    /// A way in which a call ends.
    enum End: String, Decodable, Sendable {
        case ok, rejected, undecodable, lost
    }

    /// The number in the path, which is unique in a plan.
    let number: Int
    let ends: [End]
    let query, headers: [[String]]
    let contentType, body: String?
    let reply: Reply
    let credential: Grant?
    /// The messages of a WebSocket; nil for an HTTP request.
    let sent, received: [String]?
    /// The subprotocols that a handshake offers, besides one with a credential.
    let subprotocols: [String]
}

/// A credential and the way in which a client sends it.
struct Grant: Decodable, Sendable {
    enum Kind: String, Decodable, Sendable {
        case header, query, cookie, subprotocol, bearer, basic, digest, signature, aws, jar, proxy, oauth
    }

    let kind: Kind
    /// The header, query item, cookie, prefix of a subprotocol, or user.
    let name: String
    /// The token or the password.
    let value: String
}

/// A recording with one token, which is replayed with another.
struct Match: Decodable, Sendable {
    let id: String
    let recorded, replayed: Grant
}
