#if canImport(Testing)
public import NetCore
public import NetTesting
public import Testing

extension Trait where Self == CassetteTrait {
    /// Answers a test's requests from a file beside its source, and records that file when it is not there yet.
    ///
    /// A ``CassetteTransport`` made in the test is that cassette. When a test has passed, what it recorded is written;
    /// after a failure nothing is, and a warning says so. Exchanges that nobody asked for fail the test, by name. Each
    /// test, and each case of a test with arguments, uses the recording up by itself, so tests may run in parallel.
    ///
    ///     import Testing
    ///
    ///     @Test(.cassette("users")) func showsAda() async throws {
    ///         let transport = CassetteTransport(over: CurlTransport())
    ///         let client = HTTPClient(baseURL: "https://api.example.com", transport: transport)
    ///         #expect(try await client.send(GetUser(id: 7)).name == "Ada")
    ///     }
    ///
    /// - Parameters:
    ///   - name: The file in the folder, such as `users` or `shop/users`; `.json` is added, or write a name ending in `.har`.
    ///     One that leads out of the folder is refused.
    ///   - folder: Relative to the test's source file, or absolute. Default `Cassettes`.
    ///   - mode: When to record. Default ``ReplayTransport/Mode/once``.
    ///   - rules: When a request is the recorded one.
    ///   - timing: Whether pauses are kept. Default none.
    ///   - redaction: What is hidden in the recording, and before comparing.
    ///   - reRecordInterval: How old a recording may be. Default nil: any age.
    ///   - verifiesUse: Whether unused exchanges fail the test. Default true; tests that share a cassette say false.
    ///   - environment: What overrides the mode. Default that of the process.
    ///   - clock: What the age is measured on. Default the system's.
    ///   - filePath: The source file that the folder lies beside.
    ///   - sourceLocation: Where issues are reported.
    public static func cassette(
        _ name: String, folder: String = "Cassettes", mode: ReplayTransport.Mode = .once,
        rules: ReplayRules = ReplayRules(), timing: ReplayTransport.Timing = .atOnce,
        redaction: RedactionPolicy = .safeDefault, reRecordInterval: Duration? = nil, verifiesUse: Bool = true,
        environment: ReplayEnvironment = .process, clock: NetClock = .system, filePath: String = #filePath,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        var options = CassetteOptions(
            name: name, folder: folder, filePath: filePath, verifiesUse: verifiesUse, sourceLocation: sourceLocation)
        options.session.mode = mode
        options.session.rules = rules
        options.session.timing = timing
        options.session.redaction = redaction
        options.session.reRecordInterval = reRecordInterval
        options.session.environment = environment
        options.session.clock = clock
        return CassetteTrait(options: options)
    }
}

extension Trait where Self == CassetteSuiteTrait {
    /// Gives each test of a suite, and of the suites in it, a cassette of its own, below a folder of that name: the test
    /// `AccountTests/findsAda` of a suite with `.cassettes(in: "shop")` has `Cassettes/shop/AccountTests/findsAda.json`.
    ///
    /// The other arguments are those of the trait for a test. A test with a `.cassette` of its own uses that one.
    ///
    ///     import Testing
    ///
    ///     @Suite(.cassettes(in: "shop")) struct AccountTests {
    ///         let client = HTTPClient(
    ///             configuration: .init(baseURL: "https://api.example.com"),
    ///             transport: CassetteTransport(over: CurlTransport()))
    ///
    ///         @Test func findsAda() async throws {
    ///             #expect(try await client.send(GetUser(id: 7)).name == "Ada")
    ///         }
    ///     }
    public static func cassettes(
        in name: String, folder: String = "Cassettes", mode: ReplayTransport.Mode = .once,
        rules: ReplayRules = ReplayRules(), timing: ReplayTransport.Timing = .atOnce,
        redaction: RedactionPolicy = .safeDefault, reRecordInterval: Duration? = nil, verifiesUse: Bool = true,
        environment: ReplayEnvironment = .process, clock: NetClock = .system, filePath: String = #filePath,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        let trait: CassetteTrait = .cassette(
            name, folder: folder, mode: mode, rules: rules, timing: timing, redaction: redaction,
            reRecordInterval: reRecordInterval, verifiesUse: verifiesUse, environment: environment, clock: clock,
            filePath: filePath, sourceLocation: sourceLocation)
        return CassetteSuiteTrait(options: trait.options)
    }
}
#endif
