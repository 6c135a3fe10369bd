internal import NetClient
internal import NetCore

/// What the copies of one client share.
final class ClientCore: Sendable, CustomReflectable {
    /// No parts: fields and middleware may hold secrets.
    var customMirror: Mirror { Mirror(self, children: [:]) }

    let configuration: HTTPClient.Configuration
    let transport: any HTTPTransport
    let environment: CallContext.Environment
    let hub = ActivityHub()
    private let builder: RequestBuilder
    private let chain: MiddlewareChain
    private let hasOwnRedaction: Bool
    let calls = ClientCalls()

    init(configuration: HTTPClient.Configuration, transport: any HTTPTransport) {
        self.configuration = configuration
        self.transport = transport
        hasOwnRedaction = configuration.redaction != .safeDefault
        var builder = RequestBuilder(
            baseURL: configuration.baseURL, defaultHeaders: configuration.headers, coding: configuration.coding,
            contentCodings: transport.contentCodings)
        builder.operationServers = configuration.operationServers
        self.builder = builder
        var environment = CallContext.Environment(
            clock: configuration.clock, random: configuration.random, logger: configuration.logger,
            redaction: configuration.redaction, listeners: configuration.listeners)
        environment.hub = hub
        environment.baseURL = configuration.baseURL
        environment.calls = calls
        environment.redirects = configuration.redirects
        self.environment = environment
        chain = MiddlewareChain(configuration.middleware, redirects: configuration.redirects, transport: transport)
        let calls = calls
        ResourceScope.current?.watch("calls") { [weak calls] in calls?.count ?? 0 }
    }

    func prepare<R: APIRequest>(_ request: R) throws(NetError) -> PreparedRequest {
        var prepared: PreparedRequest
        do throws(NetError) {
            prepared = try builder.prepare(request).modified(by: configuration.modifiers)
        } catch {
            throw error.naming(request.unsent(configuration.redaction))
        }
        // So that whoever prints it, or makes a cURL line of it, hides what this client hides.
        if hasOwnRedaction, prepared.options.redaction == nil { prepared.options.redaction = configuration.redaction }
        return prepared
    }

    func chain(for options: RequestOptions) -> MiddlewareChain {
        guard !options.middleware.isEmpty || options.redirects != nil else { return chain }
        return MiddlewareChain(
            configuration.middleware + options.middleware, redirects: options.redirects ?? configuration.redirects,
            transport: transport)
    }
}
