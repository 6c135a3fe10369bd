public import HTTPTypes
public import Logging
internal import NetClient
public import NetCore

extension HTTPClient {
    /// What a client adds to every request, and the world it works in.
    public struct Configuration: Sendable {
        /// What request paths are joined to; nil when every request brings an absolute URL.
        public var baseURL: BaseURL?
        /// Where requests go whose operation has a server of its own in an OpenAPI document. Default
        /// ``OperationServers/declared``: to that server.
        public var operationServers: OperationServers
        /// Fields of every request. Default `User-Agent: swift-net`. `Content-Length` and `Transfer-Encoding` are left out: the
        /// body alone tells them.
        ///
        /// Of a request to another origin than ``baseURL``'s only those are sent that cannot be secrets, unless
        /// ``NetCore/RequestOptions/sendsCredentialsToOtherOrigins`` says otherwise.
        public var headers: HTTPFields
        /// Time-outs of every request that has none of its own.
        public var timeouts: Timeouts
        /// Whether redirects are followed. Default ``NetCore/RedirectPolicy/follow(limit:allowsDowngrade:)``: 20 of them,
        /// none from https to http. Redirects are outermost: each hop passes all of ``middleware``.
        public var redirects: RedirectPolicy
        /// What changes each request once, before all middleware. Default none.
        public var modifiers: [any RequestModifier]
        /// Middleware, outermost first. Default none.
        public var middleware: [any Middleware]
        /// Who hears of every event. Default nobody.
        public var listeners: [any ActivityListener]
        /// How JSON is written and read. Default ``JSONCoding/standard``.
        public var coding: JSONCoding
        /// What errors, events and logs hide. Default ``RedactionPolicy/safeDefault``.
        public var redaction: RedactionPolicy
        /// Where the client logs. Default a logger named `swift-net`.
        public var logger: Logger
        /// Time. Default the system's.
        public var clock: NetClock
        /// Randomness. Default the system's.
        public var random: NetRandom

        /// The defaults, with the settings that are given.
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
            return settings
        }
    }
}

extension HTTPClient.Configuration: CustomStringConvertible, CustomReflectable {
    /// The base URL, without its query.
    public var description: String { "HTTPClient.Configuration(\(baseURL.map { "\($0)" } ?? "no base URL"))" }

    /// No parts: fields and middleware may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
