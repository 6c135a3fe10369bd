public import HTTPTypes
public import Logging
internal import NetClient
public import NetCore

extension HTTPClient {
    /// The settings of a client: the additions to every request, and the environment.
    public struct Configuration: Sendable {
        /// The URL that request paths are joined to; nil if every request has an absolute URL.
        public var baseURL: BaseURL?
        /// The destination of requests whose operation has its own server in an OpenAPI document. Default
        /// ``OperationServers/declared``: that server.
        public var operationServers: OperationServers
        /// The headers of every request. Default `User-Agent: swift-net`. `Content-Length` and `Transfer-Encoding` are
        /// omitted, because only the body determines them.
        ///
        /// If the origin of a request isn't that of ``baseURL``, only those headers are sent that can't be secrets,
        /// unless ``NetCore/RequestOptions/sendsCredentialsToOtherOrigins`` is true.
        public var headers: HTTPFields
        /// The timeouts of every request that doesn't set its own.
        public var timeouts: Timeouts
        /// The redirects that are followed. Default ``NetCore/RedirectPolicy/follow(limit:allowsDowngrade:)``: up to
        /// 20, none from https to http. Redirects are outermost: each hop passes through all of ``middleware``.
        public var redirects: RedirectPolicy
        /// Called before each redirect that ``redirects`` would follow, to refuse it or to change the request, unless
        /// the request has its own ``NetCore/RequestOptions/onRedirect``. It must not block. Default nil: all are
        /// followed.
        public var onRedirect: (@Sendable (ProposedRedirect) -> RedirectChoice)?
        /// The modifiers, which change each request once, before all middleware. Default none.
        public var modifiers: [any RequestModifier]
        /// The middleware, outermost first. Default none.
        public var middleware: [any Middleware]
        /// The hooks that see the decoded value, or the error, of each call. Default none.
        public var resultObservers: [any ResultObserver] = []
        /// The listeners that are notified of every event. Default none.
        public var listeners: [any ActivityListener]
        /// The rules for encoding and decoding JSON. Default ``JSONCoding/standard``.
        public var coding: JSONCoding
        /// The rules for what errors, events and logs redact. Default ``RedactionPolicy/safeDefault``.
        public var redaction: RedactionPolicy
        /// The destination of the client's logs. Default a logger named `swift-net`.
        public var logger: Logger
        /// The source of time. Default the system's.
        public var clock: NetClock
        /// The source of random numbers. Default the system's.
        public var random: NetRandom

        /// Creates a configuration. Omitted settings have their defaults.
        public init(
            baseURL: BaseURL? = nil, headers: HTTPFields = [.userAgent: "swift-net"], timeouts: Timeouts = Timeouts(),
            redirects: RedirectPolicy = .follow(), modifiers: [any RequestModifier] = [],
            middleware: [any Middleware] = [], listeners: [any ActivityListener] = [],
            coding: JSONCoding = .standard, redaction: RedactionPolicy = .safeDefault,
            logger: Logger = Logger(label: "swift-net"), clock: NetClock = .system, random: NetRandom = .system,
            operationServers: OperationServers = .declared
        ) {
            self.baseURL = baseURL
            self.headers = headers
            self.timeouts = timeouts
            self.redirects = redirects
            self.modifiers = modifiers
            self.middleware = middleware
            self.listeners = listeners
            self.coding = coding
            self.redaction = redaction
            self.logger = logger
            self.clock = clock
            self.random = random
            self.operationServers = operationServers
        }

        var settings: ClientSettings {
            var settings = ClientSettings(
                baseURL: baseURL, headers: headers, timeouts: timeouts, redirects: redirects, modifiers: modifiers,
                middleware: middleware, listeners: listeners, redaction: redaction, logger: logger, clock: clock,
                random: random)
            settings.coding = coding
            settings.operationServers = operationServers
            settings.onRedirect = onRedirect
            return settings
        }
    }
}

extension HTTPClient.Configuration: CustomStringConvertible, CustomReflectable {
    /// The base URL, without its query.
    public var description: String { "HTTPClient.Configuration(\(baseURL.map { "\($0)" } ?? "no base URL"))" }

    /// Empty, since headers and middleware may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
