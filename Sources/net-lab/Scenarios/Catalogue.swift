#if Tools && Server
internal import NetCore
internal import NetHTTP

/// Every scenario, in the order of the tour: first what works, then what goes wrong and what comes of it.
enum Catalogue {
    static let groups = [
        ScenarioGroup(title: "The catalogue: typed requests from an OpenAPI document", scenarios: BookScenarios.all),
        ScenarioGroup(title: "Orders: unions, event streams, text", scenarios: OrderScenarios.all),
        ScenarioGroup(title: "Reviews, stock and account: forms, maps, free JSON", scenarios: AccountScenarios.all),
        ScenarioGroup(title: "Typed failures", scenarios: FailureScenarios.all),
        ScenarioGroup(title: "Faults: what a broken peer looks like", scenarios: FaultScenarios.all),
        ScenarioGroup(title: "Retry", scenarios: RetryScenarios.all),
        ScenarioGroup(title: "Middleware: credentials, cookies, limits, traces", scenarios: MiddlewareScenarios.all),
        ScenarioGroup(title: "Caching", scenarios: CacheScenarios.all),
        ScenarioGroup(title: "Streams, cancellation, many at once", scenarios: StreamScenarios.all),
        ScenarioGroup(title: "WebSockets", scenarios: SocketScenarios.all),
        ScenarioGroup(title: "Sessions over WebSockets", scenarios: SessionScenarios.all),
        ScenarioGroup(title: "Bodies, recordings, contracts", scenarios: TestingScenarios.all),
    ]
}

extension Lab {
    /// Sends a request that must fail, and hands over how it failed.
    func failure<R: APIRequest>(of request: R) async -> APIError<R.Failure>? {
        do {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }

    /// Sends a request that must not be answered as it should, and says how it failed: code and phase.
    func trouble<R: APIRequest>(with request: R) async -> String {
        switch await failure(of: request) {
        case nil: "it went well"
        case .rejected(_, let head)?: "rejected with \(head.status.code)"
        case .failed(let error)?: "\(error.code) while \(error.phase), attempt \(error.attempt ?? 0)"
        }
    }
}
#endif
