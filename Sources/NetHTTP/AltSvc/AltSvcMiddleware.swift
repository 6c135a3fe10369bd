internal import HTTPTypes
public import NetCore

/// Sends requests to the alternative services that origins announce in `Alt-Svc` (RFC 7838), if the transport
/// supports it.
///
/// Only the target of the connection changes: URL, `Host`, certificate, pins and cookies stay those of the origin, and
/// `Alt-Used` names the alternative. Only https origins are considered. `h2` and `http/1.1` are used, and `h3` if
/// libcurl supports HTTP/3 (`CurlTransport.features`; never tested with such a libcurl). Requests through a proxy,
/// over a Unix socket, for an origin in ``NetCore/ConnectionConfiguration/overrides``, or over a transport other than
/// `CurlTransport` go to the origin. So do requests whose body can't be sent again, because its first bytes are
/// produced before a connection exists.
///
/// An alternative that can't be connected to, whose certificate isn't the origin's, or that ends the connection without
/// a response isn't used for 5 minutes; each further failure doubles that time, up to a day. A request that wasn't sent
/// goes to the origin immediately, in the same call and within its deadline. So does a request to which an
/// alternative responds with 421; that alternative is removed.
///
/// Put it last: middleware outside of it sees one attempt.
///
///     let client = HTTPClient(baseURL: "https://shop.example") {
///         $0.middleware = [RetryMiddleware(), AltSvcMiddleware()]
///     }
public struct AltSvcMiddleware: Middleware {
    /// The alternatives that origins announced.
    public let store: AltSvcStore
    /// The maximum time for a connection to an alternative before the origin is used, or the call's own limit if that
    /// is shorter. Default 3 s.
    public let connectTimeout: Duration

    /// Creates the middleware, by default with a new, empty store.
    public init(_ store: AltSvcStore = AltSvcStore(), connectTimeout: Duration = .seconds(3)) {
        self.store = store
        self.connectTimeout = connectTimeout
    }

    public var endsWithCall: Bool { true }

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
            guard response.status.code == 421 else {
                judge(used, by: response, origin, context)
                return heard(response, from: origin, context)
            }
            store.withList { [now = clock.date()] in $0.misdirected(used, for: origin, now: now) }
            // Further alternatives that this response announces don't count (section 6).
            await response.discardBody()
            why = "status 421 from the alternative service \(used)"
        } catch {
            guard let used = offer.used, Self.isItsFault(error) else { throw error }
            store.withList { [now = clock.date()] in $0.failed(used, for: origin, now: now) }
            guard Self.mayGoToOrigin(request, after: error, offer), !context.isOverdue else { throw error }
            why = "\(error.code) at the alternative service \(used)"
        }
        var context = context
        try await context.repeatRequest(reason: why, cause: .fallback)
        return heard(try await next(request, context), from: origin, context)
    }

    /// Records the alternatives that a response announces for its origin.
    private func heard(_ response: StreamedResponse, from origin: String, _ context: CallContext) -> StreamedResponse {
        guard let field = response.head[.altSvc], response.status.code != 421 else { return response }
        let age = response.head[.age].flatMap { Int64($0) } ?? 0
        let now = context.environment.clock.date()
        store.withList { _ = $0.receive(field, from: origin, now: now, age: age) }
        return response
    }

    /// Records a success, or a failure if the service uses a protocol other than the announced one (section 2).
    /// libcurl detects that only once it has the response, which is still the origin's, because the certificate was.
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

    /// Returns true if the alternative caused the error: cancelled tasks, local limits and slow responses don't
    /// count.
    private static func isItsFault(_ error: NetError) -> Bool {
        switch error.phase {
        case .resolving, .connecting, .securing:
            error.isConnectivity || error.code == .tls || error.code == .timeout
        case .sending, .waiting:
            error.code == .connectionLost || error.code == .protocolViolation
        default: false
        }
    }

    /// Returns true if the request may also be sent to the origin. If a reused connection broken during the request
    /// couldn't be replaced, the request must be one that may be repeated.
    private static func mayGoToOrigin(
        _ request: PreparedRequest, after error: NetError, _ offer: AltSvcOffer
    ) -> Bool {
        guard offer.hasFailedSent else { return true }
        return error.phase != .sending && error.phase != .waiting && request.mayBeRepeated(by: .idempotentMethods)
    }
}

extension CallContext {
    /// True if the call's deadline has passed.
    fileprivate var isOverdue: Bool { deadline.map { $0 <= environment.clock.now() } ?? false }
}
