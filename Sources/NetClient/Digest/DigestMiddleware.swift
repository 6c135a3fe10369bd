internal import HTTPTypes
public import NetCore
internal import Synchronization

/// Authenticates requests with Digest (RFC 7616): MD5, SHA-256 and SHA-512-256, their `-sess` forms, `auth` and
/// `auth-int`.
///
/// A user name with other characters than ASCII is sent as `username*` if the server announces UTF-8; after a 400 once
/// more in plain UTF-8, which is remembered if it helps (CherryPy 18.10).
///
/// The first request of a protection space is challenged and sent again. Later ones, including concurrent ones, carry
/// their proof immediately, with the same nonce and an increasing count. A nonce that is too old is replaced
/// transparently. If the server also proves that it knows the password (`rspauth`), an incorrect proof throws
/// `.authentication`; for a streamed body under `auth-int`, the error takes the place of the body's end.
///
/// Only origins in ``scope`` receive credentials, wherever redirects lead. A request with its own `Authorization`
/// header is passed on unchanged. A body that can be read only once isn't sent again: the call returns the 401, and the
/// next call uses the new challenge. A second 401 is also returned, because it means that the password is wrong.
///
/// List it after `RetryMiddleware` and after `CompressionMiddleware`, because `auth-int` covers the body as
/// transmitted.
///
///     let digest = DigestMiddleware(user: "ann", password: "geheim")
///     let client = HTTPClient(baseURL: "https://device.example/api") { $0.middleware = [RetryMiddleware(), digest] }
public struct DigestMiddleware: Middleware {
    /// A username and password.
    public struct Credentials: Sendable, CustomStringConvertible, CustomReflectable {
        let user, password: String

        /// Creates credentials from a username and a password.
        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }

        /// A placeholder that reveals neither the username nor the password.
        public var description: String { "<redacted>" }
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// The origins that receive credentials. Default: the origin of the client's base URL.
    public var scope: CredentialScope
    /// The weakest algorithm to accept; of several that a server offers, the strongest is used. Default MD5.
    public var minimumAlgorithm: DigestChallenge.Algorithm
    /// True to also protect bodies if the server offers both protections. Default false. A streamed body is then read
    /// an additional time before it is sent.
    public var prefersIntegrity: Bool
    private let credentials: @Sendable (String) async throws -> Credentials?
    /// The identity of the fixed user; nil if the user isn't known before a challenge.
    private let user: CallIdentity?
    private let store = DigestStore()

    /// Creates a middleware with a fixed username and password.
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

    /// Creates a middleware that asks for the credentials each time it signs a request.
    ///
    /// - Parameters:
    ///   - scope: The origins that receive credentials. Default: the origin of the client's base URL.
    ///   - minimumAlgorithm: The weakest algorithm to accept. Default MD5.
    ///   - prefersIntegrity: True to also protect bodies if the server offers both protections. Default false.
    ///   - credentials: Returns the credentials for a realm; nil to send the request without any.
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

    /// The maximum number of challenges of one request to respond to; a new nonce may expire in the meantime.
    private static let maximumAnswers = 3

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
            let credentials = try await credentials(ticket.challenge.realm, for: request, context)
        {
            signed = try await sign(request, ticket, credentials, context)
        }
        var answers = 0
        while true {
            let response = try await next(signed?.request ?? request, accounting(for: signed, context))
            if let refused = signed, refused.hasExtendedName, response.head.status == .badRequest, request.isReplayable,
                let credentials = try await credentials(refused.ticket.challenge.realm, for: request, context)
            {
                await response.discardBody()
                signed = try await sign(
                    request, store.change(origin) { $0.withPlainName(refused.ticket) }, credentials, context)
                try await context.repeatRequest(reason: "status 400 to username*", cause: .renewal)
                continue
            }
            guard response.head.status == .unauthorized else {
                if signed?.ticket.sendsPlainName == true, response.head.status != .badRequest {
                    store.change(origin) { $0.tookPlainName() }
                }
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
            guard let credentials = try await credentials(challenge.realm, for: request, context) else {
                return response
            }
            await response.discardBody()
            let ticket = store.change(origin) { $0.challenged(challenge, cnonce: Self.cnonce(random)) }
            signed = try await sign(request, ticket, credentials, context)
            answers += 1
            try await context.repeatRequest(reason: "status 401", cause: .renewal)
        }
    }

    public var identitySource: (any IdentitySource)? { self }

    /// Returns the credentials for a realm, unless the user has changed since the call began.
    private func credentials(
        _ realm: String, for request: PreparedRequest, _ context: CallContext
    ) async throws -> Credentials? {
        try await context.checkLogin(sending: request)
        return try await credentials(realm)
    }

    /// Returns the context in which the sent credentials are accounted for by the fixed user's identity.
    ///
    /// If there isn't a fixed user, they stay unaccounted for, so that responses are neither stored nor shared.
    private func accounting(for signed: SignedRequest?, _ context: CallContext) -> CallContext {
        guard user != nil, let headers = signed?.request.head.headerFields[fields: .authorization] else {
            return context
        }
        return headers.reduce(context) { $0.accounting(for: $1) }
    }

    /// Returns the challenge to respond to; nil if the 401 is final.
    private func challenge(
        in response: StreamedResponse, to ticket: DigestSpaces.Ticket?, answers: Int
    ) -> DigestChallenge? {
        guard answers < Self.maximumAnswers,
            let challenge = DigestChallenge.strongest(of: response.head.headers.challenges(), minimum: minimumAlgorithm)
        else { return nil }
        guard let ticket, challenge.realm == ticket.challenge.realm, !challenge.isStale else { return challenge }
        // Accepts a new nonce in place of one from an earlier call: some servers forget nonces without marking the
        // challenge as stale.
        return answers == 0 && challenge.nonce != ticket.challenge.nonce ? challenge : nil
    }

    private func sign(
        _ request: PreparedRequest, _ ticket: DigestSpaces.Ticket, _ credentials: Credentials, _ context: CallContext
    ) async throws -> SignedRequest {
        let signed = try await SignedRequest(request, ticket, credentials, prefersIntegrity: prefersIntegrity)
        context.hide(credentials.password)
        context.hide(credential: signed.request.head.headerFields[.authorization] ?? "")
        return signed
    }

    /// Returns 128 unpredictable bits in hexadecimal.
    private static func cnonce(_ random: NetRandom) -> String {
        random.next().paddedHexadecimal + random.next().paddedHexadecimal
    }
}

extension DigestMiddleware: IdentitySource, LoginSource {
    /// Returns the identity of the fixed user if the request receives credentials, and `.everyone` otherwise.
    public func identity(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        guard request.head.headerFields[.authorization] == nil, try scope.admits(request, context: context) else {
            return .everyone
        }
        return user ?? .everyone
    }

    /// Returns the user that the request would be signed for, if a challenge is known; a fixed user never changes.
    package func login(for request: PreparedRequest, context: CallContext) async throws -> CallIdentity {
        guard user == nil, request.head.headerFields[.authorization] == nil,
            try scope.admits(request, context: context),
            let realm = store.change(request.origin, { $0.realm(path: request.head.path ?? "/") }),
            let credentials = try await credentials(realm)
        else { return .everyone }
        return .holder(of: "\(realm.utf8.count):\(realm)\(credentials.user)")
    }

    package func isGone(
        _ began: CallIdentity, of request: PreparedRequest, sending sent: PreparedRequest, context: CallContext
    ) async throws -> Bool {
        guard try scope.admits(sent, context: context) else { return false }
        return try await !login(for: request, context: context).contains(began)
    }
}

/// The protection spaces of each origin, shared by a middleware and its copies.
final class DigestStore: Sendable {
    private let origins = Mutex<[String: DigestSpaces]>([:])

    /// The maximum number of origins. One more discards all, since no client uses Digest with that many concurrently.
    private static let maximumOrigins = 100

    func change<Value: Sendable>(_ origin: String, _ body: (inout DigestSpaces) -> Value) -> Value {
        origins.withLock { origins in
            if origins[origin] == nil, origins.count >= Self.maximumOrigins { origins.removeAll() }
            return body(&origins[origin, default: DigestSpaces(origin: origin)])
        }
    }
}

extension DigestMiddleware: CustomReflectable {
    /// The settings, without the username and password.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "scope": scope, "minimumAlgorithm": minimumAlgorithm, "prefersIntegrity": prefersIntegrity,
            ], displayStyle: .struct)
    }
}
