#if canImport(Testing)
public import NetCore
public import NetTesting
public import Testing

extension Trait where Self == CassetteTrait {
    /// Responds to a test's requests from a file next to its source file, and records that file if it doesn't exist.
    ///
    /// A ``CassetteTransport`` created in the test uses that cassette. After a test has passed, its recordings are
    /// written; after a failure, nothing is written, and a warning reports it. Unused exchanges fail the test with an
    /// issue that names them. Each test, and each case of a test with arguments, consumes the recording separately, so
    /// tests may run in parallel.
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
    ///   - name: The file in the folder, such as `users` or `shop/users`. `.json` is added, unless the name ends in
    ///     `.har`. A name that leads out of the folder is rejected.
    ///   - folder: Relative to the test's source file, or absolute. Default `Cassettes`.
    ///   - mode: The recording mode. Default ``ReplayTransport/Mode/once``.
    ///   - rules: The rules for matching a request with a recorded one.
    ///   - timing: The pauses of the replay. Default none.
    ///   - redaction: The policy that hides values in the recording, and before comparing.
    ///   - reRecordInterval: The maximum age of a recording. Default nil: any age.
    ///   - verifiesUse: True if unused exchanges fail the test. Default true; pass false for tests that share a
    ///     cassette.
    ///   - environment: The environment that overrides the mode. Default the environment of the process.
    ///   - clock: The clock that measures the age. Default the system's.
    ///   - filePath: The source file next to which the folder is.
    ///   - sourceLocation: The location at which issues are reported.
    public static func cassette(
        _ name: String, folder: String = "Cassettes", mode: ReplayTransport.Mode = .once,
        rules: ReplayRules = ReplayRules(), timing: ReplayTransport.Timing = .immediate,
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
    /// Provides each test of a suite, and of its nested suites, with a separate cassette, below a folder of that name:
    /// the test `AccountTests/findsAda` of a suite with `.cassettes(in: "shop")` has
    /// `Cassettes/shop/AccountTests/findsAda.json`.
    ///
    /// The other arguments are those of `.cassette`. A test with its own `.cassette` uses that one.
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
        rules: ReplayRules = ReplayRules(), timing: ReplayTransport.Timing = .immediate,
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
