internal import HTTPTypes
internal import NetCore
internal import NetCrypto

/// A request with its proof, and the values needed to check the server's proof.
struct SignedRequest: Sendable {
    let request: PreparedRequest
    private let answer: DigestAnswer
    private let key: String
    let ticket: DigestSpaces.Ticket
    /// True if the user's name was sent as `username*`.
    let hasExtendedName: Bool

    init(
        _ request: PreparedRequest, _ ticket: DigestSpaces.Ticket, _ credentials: DigestMiddleware.Credentials,
        prefersIntegrity: Bool
    ) async throws {
        let challenge = ticket.challenge
        let hash = challenge.algorithm.hash
        var offered = challenge.protections
        // The body can't be hashed in advance: it can be read only once.
        if !request.isReplayable, offered.contains(.authentication) { offered.remove(.integrity) }
        let protection = DigestChallenge.Protection.chosen(from: offered, prefersIntegrity: prefersIntegrity)
        let answer = DigestAnswer(
            to: challenge, uri: request.head.path ?? "/", cnonce: ticket.cnonce, count: ticket.count,
            protection: protection)
        let bodyHash = protection == .integrity ? try await Self.hash(of: request, challenge.algorithm) : ""
        guard let key = answer.key(user: credentials.user, password: credentials.password, hash: hash),
            let proof = answer.proof(
                key: key, method: request.head.method.rawValue, bodyHash: bodyHash, hash: hash)
        else { throw DigestChallenge.noHash(challenge.algorithm) }
        var signed = request
        let field = try answer.authorization(
            user: credentials.user, proof: proof, isPlain: ticket.sendsPlainName, hash: hash)
        signed.head.headerFields.authorization = field
        self.request = signed
        self.answer = answer
        self.key = key
        self.ticket = ticket
        hasExtendedName = !ticket.sendsPlainName && answer.hasExtendedForm(credentials.user)
    }

    private static func hash(
        of request: PreparedRequest, _ algorithm: DigestChallenge.Algorithm
    ) async throws -> String {
        guard var hash = RunningHash(algorithm.function) else { throw DigestChallenge.noHash(algorithm) }
        switch request.body {
        case .none: break
        case .bytes(let bytes): hash.update(bytes)
        case .stream(_, isReplayable: false, _):
            throw NetError(
                .encoding, phase: .preparing,
                message:
                    "the server wants a hash of the body before it (auth-int), and this body can be read only once; "
                    + "make it replayable")
        case .stream(_, isReplayable: true, let make):
            let source = try make()
            while let chunk = try await source.next() { hash.update(chunk) }
        }
        return hash.finish().hexadecimal
    }

    /// Records the next nonce and checks the server's proof; throws `.authentication` if the proof is wrong.
    ///
    /// Returns the response; the proof of a streamed body is checked at its end.
    func check(_ response: StreamedResponse, store: DigestStore) throws -> StreamedResponse {
        guard let text = response.head[.authenticationInfo], let info = FieldParameter.list(text) else {
            return response
        }
        if let nonce = info.first(where: { $0.name == "nextnonce" })?.value {
            store.change(request.origin) { $0.renewed(ticket, nonce: nonce) }
        }
        // RFC 2069 doesn't define a proof of the server.
        guard let proof = info.first(where: { $0.name == "rspauth" })?.value.lowercased(),
            let protection = answer.protection
        else { return response }
        guard protection == .integrity else { return try judged(response, proof, bodyHash: "") }
        // The server hashed the encoded body, but the body may already be decoded here.
        guard response.head[.contentEncoding] == nil else { return response }
        // The system may forbid the hash function.
        guard var hash = RunningHash(answer.challenge.algorithm.function) else { return response }
        if let whole = response.body.whole {
            hash.update(whole)
            return try judged(response, proof, bodyHash: hash.finish().hexadecimal)
        }
        var checked = response
        checked.body = ResponseBody(source: CheckedBodySource(response.body, ProofCheck(hash, proof, of: self)))
        return checked
    }

    /// Checks the server's proof against the hash of the response's body.
    private struct ProofCheck: BodyCheck, ~Copyable {
        private var hash: RunningHash
        private let proof: String
        private let request: SignedRequest

        init(_ hash: consuming RunningHash, _ proof: String, of request: SignedRequest) {
            self.hash = hash
            self.proof = proof
            self.request = request
        }

        mutating func update(_ chunk: Bytes) { hash.update(chunk) }

        mutating func problem(trailers: HTTPFields?) -> NetError? {
            request.isRight(proof, bodyHash: hash.finish().hexadecimal) ? nil : SignedRequest.wrongProof
        }
    }

    private func judged(_ response: StreamedResponse, _ proof: String, bodyHash: String) throws -> StreamedResponse {
        guard isRight(proof, bodyHash: bodyHash) else {
            response.body.cancel()
            throw Self.wrongProof
        }
        return response
    }

    private func isRight(_ proof: String, bodyHash: String) -> Bool {
        answer.proof(key: key, method: "", bodyHash: bodyHash, hash: answer.challenge.algorithm.hash) == proof
    }

    private static var wrongProof: NetError {
        NetError(
            .authentication, phase: .validating,
            message:
                "the server's own proof (rspauth) is wrong: it doesn't know the password, or the response was changed "
                + "in transit")
    }
}
