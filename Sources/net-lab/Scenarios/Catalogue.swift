#if Tools && Server
/// Every scenario, in the order of the tour: first fourteen proofs, then features that work, then failures and their
/// results.
enum Catalogue {
    static let groups = [
        ScenarioGroup(title: "Fourteen proofs, in memory as over a wire", scenarios: Proofs.all),
        ScenarioGroup(title: "The catalogue: typed requests from an OpenAPI document", scenarios: BookScenarios.all),
        ScenarioGroup(title: "Orders: unions, event streams, text", scenarios: OrderScenarios.all),
        ScenarioGroup(title: "Reviews, stock and account: forms, maps, free JSON", scenarios: AccountScenarios.all),
        ScenarioGroup(title: "Typed failures", scenarios: FailureScenarios.all),
        ScenarioGroup(title: "Faults: how a broken peer looks", scenarios: FaultScenarios.all),
        ScenarioGroup(title: "Retry", scenarios: RetryScenarios.all),
        ScenarioGroup(title: "Middleware: credentials, cookies, limits, traces", scenarios: MiddlewareScenarios.all),
        ScenarioGroup(title: "Caching", scenarios: CacheScenarios.all),
        ScenarioGroup(title: "Streams, cancellation, concurrency", scenarios: StreamScenarios.all),
        ScenarioGroup(title: "WebSockets", scenarios: SocketScenarios.all),
        ScenarioGroup(title: "Sessions over WebSockets", scenarios: SessionScenarios.all),
        ScenarioGroup(title: "Bodies, recordings, contracts", scenarios: TestingScenarios.all),
    ]
}
#endif
