public import HTTPTypes
public import Logging
public import NetClient
public import NetCore

extension WebSocketClient {
    /// The settings of a client: additions to each opening handshake, listeners, logger and clock.
    ///
    /// They resemble the settings of an HTTP client. Both clients can share values, such as a `CookieStore`, a
    /// credential provider or a list of hosts.
    public struct Configuration: Sendable {
        /// The URL that request paths are joined to: `wss://`, `ws://`, `https://` or `http://`; nil if every request
        /// has an absolute URL. Default nil.
        public var baseURL: BaseURL?
        /// Headers of every handshake. Default `User-Agent: swift-net`.
        ///
        /// For an origin other than that of ``baseURL``, only headers that can't contain secrets are sent.
        public var headers: HTTPFields
        /// The timeouts. ``NetCore/Timeouts/connect``, 10 s by default, limits one attempt from DNS to the server's
        /// response; ``NetCore/Timeouts/total`` limits the whole handshake. Neither limits the open WebSocket.
        public var timeouts: Timeouts
        /// The redirects that are followed. Default: up to 20, except from https to http.
        public var redirects: RedirectPolicy
        /// Changes to each request, made once, before all middleware. Default none.
        public var modifiers: [any RequestModifier]
        /// The middleware, outermost first. Default none. Caching, coalescing and hedging don't affect handshakes.
        public var middleware: [any Middleware]
        /// The listeners that receive the events of handshakes. Default none.
        public var listeners: [any ActivityListener]
        /// The rules that hide secrets in errors, events and logs. Default ``NetCore/RedactionPolicy/safeDefault``.
        public var redaction: RedactionPolicy
        /// The logger. Default: one named `swift-net`.
        public var logger: Logger
        /// The clock. Default: the system's.
        public var clock: NetClock
        /// The source of random numbers, also for the keys of frames. Default: the system's.
        public var random: NetRandom

        /// Creates a configuration. Omitted settings have their defaults.
        public init(
            baseURL: BaseURL? = nil, headers: HTTPFields = [.userAgent: "swift-net"], timeouts: Timeouts = Timeouts(),
            redirects: RedirectPolicy = .follow(), modifiers: [any RequestModifier] = [],
            middleware: [any Middleware] = [], listeners: [any ActivityListener] = [],
            redaction: RedactionPolicy = .safeDefault, logger: Logger = Logger(label: "swift-net"),
            clock: NetClock = .system, random: NetRandom = .system
        ) {
            self.baseURL = baseURL
            self.headers = headers
            self.timeouts = timeouts
            self.redirects = redirects
            self.modifiers = modifiers
            self.middleware = middleware
            self.listeners = listeners
            self.redaction = redaction
            self.logger = logger
            self.clock = clock
            self.random = random
        }

        var settings: ClientSettings {
            ClientSettings(
                baseURL: baseURL, headers: headers, timeouts: timeouts, redirects: redirects, modifiers: modifiers,
                middleware: middleware, listeners: listeners, redaction: redaction, logger: logger, clock: clock,
                random: random)
        }
    }
}

extension WebSocketClient.Configuration: CustomStringConvertible, CustomReflectable {
    /// The base URL, without its query.
    public var description: String { "WebSocketClient.Configuration(\(baseURL.map { "\($0)" } ?? "no base URL"))" }

    /// No parts, since headers and middleware may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
