#if Tools && Server
/// A demonstration of one feature of the library.
///
/// A scenario has an expected result, written in a few words, and returns its actual one. It passes if the two are
/// equal.
struct Scenario: Sendable {
    /// The name for `net-lab run`.
    let name: String
    /// One line for `net-lab list`.
    let summary: String
    /// The expected result.
    let expected: String
    /// True if it is skipped in memory, because it needs sockets, libcurl, or data that only a server receives.
    let needsWire: Bool
    /// Runs the scenario and returns its result.
    let run: @Sendable (Lab) async throws -> String

    init(
        _ name: String, _ summary: String, expect expected: String, needsWire: Bool = false,
        run: @escaping @Sendable (Lab) async throws -> String
    ) {
        self.name = name
        self.summary = summary
        self.expected = expected
        self.needsWire = needsWire
        self.run = run
    }

    /// The modes in which it runs.
    var modes: [LabMode] { needsWire ? [.live] : LabMode.allCases }
}

/// A group of related scenarios.
struct ScenarioGroup: Sendable {
    let title: String
    let scenarios: [Scenario]
}
#endif
