internal import HTTPTypes
public import NetCore
internal import Synchronization

/// Answers Digest challenges of one origin (RFC 7616): MD5, SHA-256 and SHA-512-256, their `-sess` forms, `auth` and
/// `auth-int`.
///
/// The first request of a protection space is challenged and sent again; those after it bring their proof at once, with
/// the same nonce and a count that goes up, also when many are sent beside one another. A nonce that is too old is replaced
/// without the caller's noticing. Where the server proves in turn that it knows the password (`rspauth`), a wrong proof
/// throws `.authentication`: of a body under `auth-int` in place of its end.
///
/// The credentials never go to another origin, wherever redirects lead. A request that brings an `Authorization` of its own
/// is left alone. A body that can be read only once is not sent again: the 401 is the answer then, and the next call begins
/// with what was learned. A second 401 is the answer too: the password is wrong.
///
/// Put it behind ``RetryMiddleware``, and behind ``CompressionMiddleware``, because `auth-int` is of the body as it travels.
///
///     let digest = DigestMiddleware(for: "https://device.example", user: "ann", password: "geheim")
///     let client = HTTPClient(
///         configuration: .init(baseURL: "https://device.example/api", middleware: [RetryMiddleware(), digest]))
public struct DigestMiddleware: Middleware {
    /// User and password.
    public struct Credentials: Sendable, CustomStringConvertible, CustomReflectable {
        let user, password: String

        /// Pairs a user with a password.
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }

        /// Nothing of either.
        public var description: String { "<redacted>" }
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// The only origin that gets the credentials; its path does not matter.
    public let origin: BaseURL
    /// The weakest algorithm that is answered; where a server offers several, the strongest is. Default MD5.
    public var minimumAlgorithm: DigestChallenge.Algorithm
    /// Whether bodies are protected too where the server offers both. Default false. A streamed body is read once more for
    /// it before it is sent.
    public var prefersIntegrity: Bool
    private let credentials: @Sendable () async throws -> Credentials?
    private let spaces: DigestStore

    /// Answers with one user and password.
    public init(
        for origin: BaseURL, user: String, password: String, minimumAlgorithm: DigestChallenge.Algorithm = .md5,
        prefersIntegrity: Bool = false
    ) {
        let fixed = Credentials(user: user, password: password)
        self.init(for: origin, minimumAlgorithm: minimumAlgorithm, prefersIntegrity: prefersIntegrity) { fixed }
    }

    /// Asks for user and password each time a request is signed; nil sends it without.
    public init(
        for origin: BaseURL, minimumAlgorithm: DigestChallenge.Algorithm = .md5, prefersIntegrity: Bool = false,
        credentials: @escaping @Sendable () async throws -> Credentials?
    ) {
        self.origin = origin
        self.minimumAlgorithm = minimumAlgorithm
        self.prefersIntegrity = prefersIntegrity
        self.credentials = credentials
        spaces = DigestStore(origin: origin.origin)
    }

    /// How often one request is answered: another nonce may grow old meanwhile.
    private static let maximumAnswers = 3
    /// How much of a 401's body is read so that its connection can be used again.
    private static let drainLimit = 64 << 10

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        if let problem = origin.problem {
            throw NetError(.invalidRequest, phase: .preparing, message: "the origin of DigestMiddleware: \(problem)")
        }
        guard request.origin == origin.origin, request.head.headerFields[.authorization] == nil else {
            return try await next(request, context)
        }
        var context = context
        let random = context.environment.random
        let path = request.head.path ?? "/"
        var ticket = spaces.state.withLock { $0.ticket(path: path, cnonce: Self.cnonce(random)) }
        var answers = 0
        while true {
            let signed = try await sign(request, ticket)
            let response = try await next(signed?.request ?? request, context)
            guard response.head.status == .unauthorized else {
                return try signed?.check(response, spaces: spaces) ?? response
            }
            guard let challenge = challenge(in: response, to: ticket, answers: answers) else { return response }
            guard request.isReplayable else {
                spaces.state.withLock { _ = $0.learned(challenge, cnonce: Self.cnonce(random)) }
                return response
            }
            _ = await response.body.prefix(upTo: Self.drainLimit)
            ticket = spaces.state.withLock { $0.challenged(challenge, cnonce: Self.cnonce(random)) }
            answers += 1
            context.record(.retrying(attempt: context.attempt + 1, after: .zero, reason: "status 401"))
            context.attempt += 1
        }
    }

    /// The challenge that is worth an answer; nil where the 401 is final.
    private func challenge(
        in response: StreamedResponse, to ticket: DigestSpaces.Ticket?, answers: Int
    ) -> DigestChallenge? {
        guard answers < Self.maximumAnswers,
            let challenge = DigestChallenge.strongest(of: response.head.fields.challenges(), minimum: minimumAlgorithm)
        else { return nil }
        guard let ticket, challenge.realm == ticket.challenge.realm, !challenge.isStale else { return challenge }
        // Another nonce after one of an earlier call: some servers forget their nonces and do not say so.
        if answers == 0, challenge.nonce != ticket.challenge.nonce { return challenge }
        spaces.state.withLock { $0.refused(ticket) }
        return nil
    }

    private func sign(_ request: PreparedRequest, _ ticket: DigestSpaces.Ticket?) async throws -> SignedRequest? {
        guard let ticket, let credentials = try await credentials() else { return nil }
        return try await SignedRequest(request, ticket, credentials, prefersIntegrity: prefersIntegrity)
    }

    /// 128 bits that nobody can guess.
    private static func cnonce(_ random: NetRandom) -> String {
        let words = [random.next(), random.next()]
        return words.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// The nonces of a middleware, shared by its copies.
final class DigestStore: Sendable {
    let state: Mutex<DigestSpaces>

    init(origin: String) {
        state = Mutex(DigestSpaces(origin: origin))
    }
}

extension NetError.Code {
    /// The server could not prove that it knows the password (`rspauth` of RFC 7616 section 3.5).
    public static let authentication = NetError.Code(rawValue: "authentication")
}
