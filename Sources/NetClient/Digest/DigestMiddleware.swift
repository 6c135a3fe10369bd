internal import HTTPTypes
public import NetCore
internal import Synchronization

/// Answers Digest challenges (RFC 7616): MD5, SHA-256 and SHA-512-256, their `-sess` forms, `auth` and
/// `auth-int`.
///
/// The first request of a protection space is challenged and sent again; those after it bring their proof at once, with
/// the same nonce and a count that goes up, also when many are sent beside one another. A nonce that is too old is replaced
/// without the caller's noticing. Where the server proves in turn that it knows the password (`rspauth`), a wrong proof
/// throws `.authentication`: of a body under `auth-int` in place of its end.
///
/// Only the origins of its ``scope`` get an answer, wherever redirects lead. A request that brings an `Authorization` of its own
/// is left alone. A body that can be read only once is not sent again: the 401 is the answer then, and the next call begins
/// with what was learned. A second 401 is the answer too: the password is wrong.
///
/// Put it behind ``RetryMiddleware``, and behind ``CompressionMiddleware``, because `auth-int` is of the body as it travels.
///
///     let digest = DigestMiddleware(user: "ann", password: "geheim")
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

    /// Which origins get an answer. Default that of the client's base URL.
    public var scope: CredentialScope
    /// The weakest algorithm that is answered; where a server offers several, the strongest is. Default MD5.
    public var minimumAlgorithm: DigestChallenge.Algorithm
    /// Whether bodies are protected too where the server offers both. Default false. A streamed body is read once more for
    /// it before it is sent.
    public var prefersIntegrity: Bool
    private let credentials: @Sendable (String) async throws -> Credentials?
    /// The identity of a fixed user; nil if the user isn't known before a challenge.
    private let user: CallIdentity?
    private let store = DigestStore()

    /// Answers with one user and password.
    public init(
        user: String, password: String, scope: CredentialScope = .baseURL,
        minimumAlgorithm: DigestChallenge.Algorithm = .md5, prefersIntegrity: Bool = false
    ) {
        let fixed = Credentials(user: user, password: password)
        self.scope = scope
        self.minimumAlgorithm = minimumAlgorithm
        self.prefersIntegrity = prefersIntegrity
        credentials = { _ in fixed }
        self.user = .holder(of: "\(user.utf8.count):\(user)\(password)")
    }

    /// Asks for user and password each time a request is signed; nil sends it without.
    public init(
        scope: CredentialScope = .baseURL, minimumAlgorithm: DigestChallenge.Algorithm = .md5,
        prefersIntegrity: Bool = false,
        credentials: @escaping @Sendable (_ realm: String) async throws -> Credentials?
    ) {
        self.scope = scope
        self.minimumAlgorithm = minimumAlgorithm
        self.prefersIntegrity = prefersIntegrity
        self.credentials = credentials
        user = nil
    }

    /// How often one request is answered: another nonce may grow old meanwhile.
    private static let maximumAnswers = 3
    /// How much of a 401's body is read so that its connection can be used again.
    private static let drainLimit = 64 << 10

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard request.head.headerFields[.authorization] == nil, try scope.admits(request, context: context) else {
            return try await next(request, context)
        }
        var context = context
        let random = context.environment.random
        let (origin, path) = (request.origin, request.head.path ?? "/")
        var signed: SignedRequest?
        if let ticket = store.change(origin, { $0.ticket(path: path, cnonce: Self.cnonce(random)) }),
            let credentials = try await credentials(ticket.challenge.realm)
        {
            signed = try await sign(request, ticket, credentials)
        }
        var answers = 0
        while true {
            let response = try await next(signed?.request ?? request, accounting(for: signed, context))
            guard response.head.status == .unauthorized else {
                return try signed?.check(response, store: store) ?? response
            }
            guard let challenge = challenge(in: response, to: signed?.ticket, answers: answers) else {
                if let signed { store.change(origin) { $0.refused(signed.ticket) } }
                return response
            }
            guard request.isReplayable else {
                store.change(origin) { _ = $0.learned(challenge, cnonce: Self.cnonce(random)) }
                return response
            }
            guard let credentials = try await credentials(challenge.realm) else { return response }
            _ = await response.body.prefix(upTo: Self.drainLimit)
            let ticket = store.change(origin) { $0.challenged(challenge, cnonce: Self.cnonce(random)) }
            signed = try await sign(request, ticket, credentials)
            answers += 1
            context.record(.retrying(attempt: context.attempt + 1, after: .zero, reason: "status 401"))
            context.attempt += 1
        }
    }

    public var identitySource: (any IdentitySource)? { user == nil ? nil : self }

    /// A user who isn't known before a challenge is one whom nobody accounts for: the responses are neither kept nor shared.
    private func accounting(for signed: SignedRequest?, _ context: CallContext) -> CallContext {
        guard user != nil, let fields = signed?.request.head.headerFields[fields: .authorization] else {
            return context
        }
        return fields.reduce(context) { $0.accounting(for: $1) }
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
        return answers == 0 && challenge.nonce != ticket.challenge.nonce ? challenge : nil
    }

    private func sign(
        _ request: PreparedRequest, _ ticket: DigestSpaces.Ticket, _ credentials: Credentials
    ) async throws -> SignedRequest {
        try await SignedRequest(request, ticket, credentials, prefersIntegrity: prefersIntegrity)
    }

    /// 128 bits that nobody can guess.
    private static func cnonce(_ random: NetRandom) -> String {
        random.next().paddedHexadecimal + random.next().paddedHexadecimal
    }
}

extension DigestMiddleware: IdentitySource {
    /// The fixed user, if the request gets an answer.
    public func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        guard request.head.headerFields[.authorization] == nil, try scope.admits(request, context: context) else {
            return .everyone
        }
        return user ?? .everyone
    }
}

/// What a middleware and its copies know of each origin.
final class DigestStore: Sendable {
    private let origins = Mutex<[String: DigestSpaces]>([:])

    /// More origins than this begin anew: nobody talks Digest to so many at once.
    private static let maximumOrigins = 100

    func change<Value: Sendable>(_ origin: String, _ body: (inout DigestSpaces) -> Value) -> Value {
        origins.withLock { origins in
            if origins[origin] == nil, origins.count >= Self.maximumOrigins { origins.removeAll() }
            return body(&origins[origin, default: DigestSpaces(origin: origin)])
        }
    }
}

extension DigestMiddleware: CustomReflectable {
    /// Without user and password.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "scope": scope, "minimumAlgorithm": minimumAlgorithm, "prefersIntegrity": prefersIntegrity,
            ], displayStyle: .struct)
    }
}
