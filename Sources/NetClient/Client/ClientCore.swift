package import NetCore

/// The state that the copies of one client share, for clients of HTTP and of WebSockets.
package final class ClientCore: Sendable, CustomReflectable {
    /// No parts, since headers and middleware may contain secrets.
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    package let settings: ClientSettings
    package let environment: CallContext.Environment
    package let hub = ActivityHub()
    package let calls = RunningCalls()
    private let transport: any HTTPTransport
    private let builder: RequestBuilder
    private let chain: MiddlewareChain
    private let hasOwnRedaction: Bool

    package init(_ settings: ClientSettings, transport: any HTTPTransport) {
        self.settings = settings
        self.transport = transport
        hasOwnRedaction = settings.redaction != .safeDefault
        var builder = RequestBuilder(
            baseURL: settings.baseURL, defaultHeaders: settings.headers, coding: settings.coding,
            contentCodings: transport.contentCodings)
        builder.operationServers = settings.operationServers
        self.builder = builder
        var environment = CallContext.Environment(
            clock: settings.clock, random: settings.random, logger: settings.logger, redaction: settings.redaction,
            listeners: settings.listeners)
        environment.hub = hub
        environment.baseURL = settings.baseURL
        environment.calls = calls
        environment.redirects = settings.redirects
        self.environment = environment
        chain = MiddlewareChain(
            settings.middleware, redirects: settings.redirects, onRedirect: settings.onRedirect, transport: transport)
        ResourceScope.current?.watch("calls") { [weak calls] in calls?.count ?? 0 }
    }

    /// Prepares a request for a client's `prepare`, without beginning a call.
    package func prepare<R: APIRequest>(_ request: R) throws(NetError) -> PreparedRequest {
        do throws(NetError) {
            return try prepared(request)
        } catch {
            throw error.naming(request.unsent(settings.redaction))
        }
    }

    /// Prepares the request of a call. A failure is reported to the listeners as a failed call.
    package func prepareCall<R: APIRequest>(_ request: R) throws(NetError) -> PreparedRequest {
        do throws(NetError) {
            return try prepared(request)
        } catch {
            throw CallContext.fail(toPrepare: request, with: error, environment: environment)
        }
    }

    private func prepared<R: APIRequest>(_ request: R) throws(NetError) -> PreparedRequest {
        var prepared = try builder.prepare(request).modified(by: settings.modifiers)
        // The printed request and its cURL command then apply this client's redaction.
        if hasOwnRedaction, prepared.options.redaction == nil { prepared.options.redaction = settings.redaction }
        return prepared
    }

    /// Begins the call of a prepared request.
    package func begin(_ request: PreparedRequest, delivery: BodyDelivery) -> ChainCall {
        let context = CallContext(
            for: request, delivery: delivery, timeouts: settings.timeouts.overridden(by: request.options.timeouts),
            environment: environment)
        context.begin(request)
        return ChainCall(request: request, context: context, chain: chain(for: request.options))
    }

    /// Returns the logins that the client's credentials for a request belong to now; nil if there are none. Work that
    /// consists of several calls keeps them in ``NetCore/RequestOptions/login``.
    package func login(of request: PreparedRequest) async -> CallLogin? {
        let context = CallContext(for: request, environment: environment)
        return await chain(for: request.options).login(of: request, context)
    }

    private func chain(for options: RequestOptions) -> MiddlewareChain {
        guard !options.middleware.isEmpty || options.redirects != nil || options.replacesMiddleware else {
            return chain
        }
        return MiddlewareChain(
            options.replacesMiddleware ? options.middleware : settings.middleware + options.middleware,
            redirects: options.redirects ?? settings.redirects, onRedirect: settings.onRedirect, transport: transport)
    }

    /// Ends every running call with `.cancelled`.
    package func cancelAll() { calls.endAll(RunningCall.EndReason(.cancelled, "the client cancelled all its calls")) }

    /// Stops accepting calls, ends running ones, and shuts the transport down.
    package func shutdown(grace: Duration) async {
        await calls.close(grace: grace, clock: settings.clock)
        await transport.shutdown()
        hub.finish()
    }
}
