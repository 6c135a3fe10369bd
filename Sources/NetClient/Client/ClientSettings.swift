package import HTTPTypes
package import Logging
package import NetCore

/// The settings common to all kinds of clients: additions to each request, and the environment.
package struct ClientSettings: Sendable {
    package var baseURL: BaseURL?
    package var headers: HTTPFields
    package var timeouts: Timeouts
    package var redirects: RedirectPolicy
    package var modifiers: [any RequestModifier]
    package var middleware: [any Middleware]
    package var listeners: [any ActivityListener]
    package var redaction: RedactionPolicy
    package var logger: Logger
    package var clock: NetClock
    package var random: NetRandom
    package var coding = JSONCoding.standard
    package var operationServers = OperationServers.declared
    package var onRedirect: (@Sendable (ProposedRedirect) -> RedirectChoice)?

    package init(
        baseURL: BaseURL?, headers: HTTPFields, timeouts: Timeouts, redirects: RedirectPolicy,
        modifiers: [any RequestModifier], middleware: [any Middleware], listeners: [any ActivityListener],
        redaction: RedactionPolicy, logger: Logger, clock: NetClock, random: NetRandom
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
}
