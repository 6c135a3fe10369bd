#if Redis
import ConformanceSupport
import Foundation

/// Runs every case with each broker.
enum AllCases {
    private typealias Case = @Sendable (Fleet.Surroundings) async throws -> String

    private static let cases: [(name: String, run: Case)] = [
        ("servers and a broker that crash", CrashCase.run),
        ("a broker that forgets", HoleCase.forgetting),
        ("a broker that forgets, and a server that crashes", HoleCase.forgettingWithServer),
        ("a history that is too short", HoleCase.shortHistory),
        ("the bounds of a history", HistoryCase.run),
        ("a rolling deploy", DeployCase.run),
        ("presence", PresenceCase.run),
        ("a server that stands still", PresenceCase.standstill),
        ("users", UserCase.run),
        ("a broker that says nothing", OutageCase.silence),
        ("a broker without memory", OutageCase.memory),
        ("a broker that becomes a replica", OutageCase.replica),
    ]

    /// - Parameter programs: `NAME=PATH` of each broker; an empty path if it isn't installed.
    static func run(_ programs: some Sequence<String>, log: String) async -> [CaseResult] {
        guard FileManager.default.createFile(atPath: log, contents: nil) else { stop("fan-out", "cannot write \(log)") }
        let checks = Checks()
        for program in programs {
            let parts = program.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                print("skipped: there is no \(parts.first ?? "broker")")
                continue
            }
            let surroundings = Fleet.Surroundings(kind: Broker.Kind(name: parts[0], path: parts[1]), log: log)
            do {
                print("with \(try await version(surroundings))")
                fflush(nil)
            } catch {
                print("skipped: \(parts[0]) doesn't start: \(error)")
                continue
            }
            for (name, run) in cases { await checks.check("\(parts[0]): \(name)") { try await run(surroundings) } }
        }
        return checks.results
    }

    private static func version(_ surroundings: Fleet.Surroundings) async throws -> String {
        try await Fleet.with(surroundings, broker: Broker.forgetful, servers: 0) { try await $0.broker.name() }
    }
}
#endif
