internal import HTTPTypes
public import NetCore

/// Sends requests to the alternative services that their origins name in `Alt-Svc` (RFC 7838), where the transport can.
///
/// Only where the connection goes changes: URL, `Host`, certificate, pins and cookies stay those of the origin, and
/// `Alt-Used` says what was done. Only origins of https are heard and served so. `h2` and `http/1.1` are used, `h3` where
/// libcurl has HTTP/3 (`CurlTransport.features`; never tested with one that has it). Through a proxy, by a Unix socket, for an
/// origin that ``NetCore/ConnectionConfiguration/overrides`` names, and by other transports than `CurlTransport` requests go to
/// the origin, as do bodies that cannot be sent again: their first bytes are made before a connection stands.
///
/// An alternative to which no connection comes about, whose certificate is not the origin's, or that ends the connection
/// without an answer is left alone for 5 minutes, each time it does so again for twice as long, up to a day. What was not
/// sent goes to the origin at once, in the same call and within its deadline. So does a request that an alternative
/// answers with 421; that one is forgotten.
///
/// Put it last: what is outside of it sees one attempt.
///
///     let client = HTTPClient(
///         configuration: .init(baseURL: "https://shop.example", middleware: [RetryMiddleware(), AltSvcMiddleware()]))
public struct AltSvcMiddleware: Middleware, CallEnding {
    /// What origins said.
    public let store: AltSvcStore
    /// How long a connection to an alternative may take before the origin is used; the call's own limit where that is shorter.
    /// Default 3 s.
    public let connectTimeout: Duration

    /// Takes a store. Default an empty one of its own.
    public init(_ store: AltSvcStore = AltSvcStore(), connectTimeout: Duration = .seconds(3)) {
        self.store = store
        self.connectTimeout = connectTimeout
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard request.head.scheme?.lowercased() == "https" else { return try await next(request, context) }
        let (origin, clock) = (request.origin, context.environment.clock)
        let services = store.withList { [now = clock.date()] in $0.services(at: origin, now: now) }
        guard !services.isEmpty, request.isReplayable else {
            return heard(try await next(request, context), from: origin, context)
        }
        let offer = AltSvcOffer(services, connectTimeout: connectTimeout)
        var offering = request
        offering.options.altSvc = offer
        let why: String
        do {
            let response = try await next(offering, context)
            guard let used = offer.used else { return heard(response, from: origin, context) }
            guard response.head.status.code == 421 else {
                judge(used, by: response, origin, context)
                return heard(response, from: origin, context)
            }
            store.withList { [now = clock.date()] in $0.misdirected(used, for: origin, now: now) }
            // What else it says of alternatives does not count (section 6).
            await response.body.finishOrCancel()
            why = "status 421 from the alternative service \(used)"
        } catch {
            guard let used = offer.used, Self.isItsFault(error) else { throw error }
            store.withList { [now = clock.date()] in $0.failed(used, for: origin, now: now) }
            guard Self.mayGoToOrigin(request, after: error, offer), !context.isOverdue else { throw error }
            why = "\(error.code) at the alternative service \(used)"
        }
        var context = context
        context.record(.retrying(attempt: context.attempt + 1, after: .zero, reason: why))
        context.attempt += 1
        return heard(try await next(request, context), from: origin, context)
    }

    /// Takes what a response says of the alternatives of its origin.
    private func heard(_ response: StreamedResponse, from origin: String, _ context: CallContext) -> StreamedResponse {
        guard let field = response.head[.altSvc], response.head.status.code != 421 else { return response }
        let age = response.head[.age].flatMap { Int64($0) } ?? 0
        let now = context.environment.clock.date()
        store.withList { _ = $0.receive(field, from: origin, now: now, age: age) }
        return response
    }

    /// Whoever speaks another protocol than was said counts as failed (section 2). libcurl finds that out when it has the answer,
    /// and that is the origin's all the same: its certificate was.
    private func judge(
        _ service: AlternativeService, by response: StreamedResponse, _ origin: String, _ context: CallContext
    ) {
        let expected = ["h2": "2", "h3": "3", "http/1.1": "1"][service.protocolName] ?? ""
        let now = context.environment.clock.date()
        store.withList { list in
            if response.head.version.hasPrefix(expected) {
                list.answered(service, for: origin)
            } else {
                list.failed(service, for: origin, now: now)
            }
        }
    }

    /// Whether a failure says something against the alternative: one that a cancelled task, a limit of ours or a slow answer
    /// brings about does not.
    private static func isItsFault(_ error: NetError) -> Bool {
        switch error.phase {
        case .resolving, .connecting, .securing:
            error.isConnectivity || error.code == .tls || error.code == .timeout
        case .sending, .waiting:
            error.code == .connectionLost || error.code == .protocolViolation
        default: false
        }
    }

    /// Whether the origin may get the request too. A connection that was used before may have broken under it, and no other
    /// come about: then it must be one that may be repeated.
    private static func mayGoToOrigin(
        _ request: PreparedRequest, after error: NetError, _ offer: AltSvcOffer
    ) -> Bool {
        guard offer.hasFailedSent else { return true }
        return error.phase != .sending && error.phase != .waiting && request.mayBeRepeated(by: .idempotentMethods)
    }
}

extension CallContext {
    /// Whether its time is over.
    fileprivate var isOverdue: Bool { deadline.map { $0 <= environment.clock.now() } ?? false }
}
