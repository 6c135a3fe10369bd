#if Tools && Server
/// Something the library can do, done for real.
///
/// A scenario says beforehand, in a few words, what must come of it, and afterwards what did. It passes when the two are
/// the same words.
struct Scenario: Sendable {
    /// What `net-lab run` calls it.
    let name: String
    /// One line for `net-lab list`.
    let summary: String
    /// What must come of it.
    let expected: String
    /// Does it, and says what came of it.
    let run: @Sendable (Lab) async throws -> String

    init(
        _ name: String, _ summary: String, expect expected: String,
        run: @escaping @Sendable (Lab) async throws -> String
    ) {
        self.name = name
        self.summary = summary
        self.expected = expected
        self.run = run
    }
}

/// Scenarios that belong together.
struct ScenarioGroup: Sendable {
    let title: String
    let scenarios: [Scenario]
}
#endif
