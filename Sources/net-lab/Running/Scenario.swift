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
    /// True if it is skipped in memory: it is about sockets or libcurl, or about something that only a server sees.
    let needsWire: Bool
    /// Does it, and says what came of it.
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

/// Scenarios that belong together.
struct ScenarioGroup: Sendable {
    let title: String
    let scenarios: [Scenario]
}
#endif
