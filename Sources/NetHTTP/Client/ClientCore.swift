internal import NetCore
internal import Synchronization

/// What the copies of one client share.
final class ClientCore: Sendable {
    let configuration: HTTPClient.Configuration
    let transport: any HTTPTransport
    let environment: CallContext.Environment
    let hub = ActivityHub()
    private let builder: RequestBuilder
    private let chain: MiddlewareChain
    private let roster = Mutex(CallRoster())

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
        environment.baseURL = configuration.baseURL
        self.environment = environment
        chain = MiddlewareChain(configuration.middleware, redirects: configuration.redirects, transport: transport)
        ResourceScope.current?.watch("calls") { [weak self] in self?.unfinishedCalls ?? 0 }
    }

    var unfinishedCalls: Int { roster.withLock { $0.count } }

    func prepare<R: APIRequest>(_ request: R) throws(NetError) -> PreparedRequest {
        try builder.prepare(request).modified(by: configuration.modifiers)
    }

    func chain(for options: RequestOptions) -> MiddlewareChain {
        guard !options.middleware.isEmpty || options.redirects != nil else { return chain }
        return MiddlewareChain(
            configuration.middleware + options.middleware, redirects: options.redirects ?? configuration.redirects,
            transport: transport)
    }

    func begin(_ context: CallContext, _ request: PreparedRequest) {
        let recorder = context.recorder
        let closing = roster.withLock { roster in
            // Under the lock, or a call could slip in while all are ended.
            recorder.begin(at: roster.enter(recorder))
            return roster.closing
        }
        if let closing { recorder.end(closing) }
        context.record(.started(requestBytes: request.bodyLength))
    }

    func end(_ context: CallContext, _ outcome: ActivityEvent.Outcome) {
        if let place = context.recorder.finish() {
            for waiter in roster.withLock({ $0.leave(place) }) { waiter.resume() }
        }
        context.record(.ended(outcome))
    }

    func end(_ context: CallContext, failure error: NetError) {
        end(context, error.isCancellation ? .cancelled : .failed(error))
    }

    /// Ends every call there is.
    func endAll(_ reason: CallLife.Reason) {
        for call in roster.withLock({ $0.all }) { call.end(reason) }
    }

    /// Takes no more calls, and waits that long for those there are; then ends them.
    func close(grace: Duration) async {
        let reason = CallLife.Reason(.shutdown, "the client was shut down")
        roster.withLock { $0.close(reason) }
        if grace > .zero { await waitForEnd(upTo: grace) }
        endAll(reason)
    }

    private func waitForEnd(upTo limit: Duration) async {
        let waiter = roster.withLock { $0.makeWaiter() }
        let clock = configuration.clock
        let timer = Task { [weak self] in
            try? await clock.sleep(for: limit)
            self?.release(waiter)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancelled timer releases nobody who comes later.
                let waits = !Task.isCancelled && roster.withLock { $0.wait(waiter, continuation) }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            timer.cancel()
        }
        timer.cancel()
    }

    private func release(_ waiter: Int) {
        roster.withLock { $0.release(waiter) }?.resume()
    }
}
