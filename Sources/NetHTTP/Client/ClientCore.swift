internal import NetCore
internal import Synchronization

/// What the copies of one client share.
final class ClientCore: Sendable {
    let configuration: HTTPClient.Configuration
    let transport: any HTTPTransport
    let builder: RequestBuilder
    let environment: CallContext.Environment
    let hub = ActivityHub()
    private let chain: MiddlewareChain
    private let unfinished = Atomic<Int>(0)

    init(configuration: HTTPClient.Configuration, transport: any HTTPTransport) {
        self.configuration = configuration
        self.transport = transport
        builder = RequestBuilder(
            baseURL: configuration.baseURL, defaultHeaders: configuration.headers, coding: configuration.coding,
            contentCodings: transport.contentCodings)
        var environment = CallContext.Environment(
            clock: configuration.clock, random: configuration.random, logger: configuration.logger,
            redaction: configuration.redaction, listeners: configuration.listeners)
        environment.hub = hub
        self.environment = environment
        chain = MiddlewareChain(configuration.middleware, transport: transport)
        ResourceScope.current?.watch("calls") { [weak self] in self?.unfinishedCalls ?? 0 }
    }

    var unfinishedCalls: Int { unfinished.load(ordering: .relaxed) }

    func chain(for options: RequestOptions) -> MiddlewareChain {
        guard !options.middleware.isEmpty else { return chain }
        return MiddlewareChain(configuration.middleware + options.middleware, transport: transport)
    }

    func begin(_ context: CallContext, _ request: PreparedRequest) {
        unfinished.add(1, ordering: .relaxed)
        context.record(.started(requestBytes: request.bodyLength))
    }

    func end(_ context: CallContext, _ outcome: ActivityEvent.Outcome) {
        unfinished.subtract(1, ordering: .relaxed)
        context.record(.ended(outcome))
    }

    func end(_ context: CallContext, failure error: NetError) {
        end(context, error.isCancellation ? .cancelled : .failed(error))
    }
}
