#if Tools && Server
import ArgumentParser
import NetStore
import NetTesting
import Testing

@testable import net_lab

@Suite struct RunCommandTests {
    private static let names = Proofs.all.map(\.name)

    @Test(arguments: LabMode.allCases)
    func `The fourteen proofs pass, and their run is in the store`(_ mode: LabMode) async throws {
        try await TemporaryStore.with { file in
            let (code, lines) = try await run(mode, Self.names, store: file)
            #expect(code == 0, "\(lines.joined(separator: "\n"))")
            for name in Self.names {
                #expect(lines.contains { $0.hasPrefix("pass  \(Text.pad(name, to: 20)) ") }, "\(name)")
            }
            #expect(lines.count { $0.hasPrefix("  same: ") } == 2)
            #expect(lines.contains { $0.hasSuffix("net-activity list \(file)") })
            #expect(lines.contains { $0.hasSuffix("net-activity report \(file)") })

            let store = try ActivityStore(path: file)
            let items = try await store.items(limit: 100)
            #expect(items.count { $0.kind == .socket } == 2)
            #expect(items.count { $0.kind == .call && $0.operation == "getBook" } == 6)
            #expect(items.allSatisfy { $0.outcome != nil })
            try await store.close()
        }
    }

    @Test(arguments: LabMode.allCases, BrokenProof.all)
    func `A proof fails with exit code 1 if its stub is broken`(_ mode: LabMode, _ broken: BrokenProof) async throws {
        try await TemporaryStore.with { file in
            let (code, lines) = try await run(
                mode, [broken.name], store: file, world: broken.world)
            #expect(code == 1)
            #expect(lines.contains { $0.hasPrefix("FAIL  \(broken.name) ") }, "\(lines.joined(separator: "\n"))")
            #expect(lines.last?.hasPrefix("NOT PROVEN: 0 of 1 ") == true)
        }
    }

    @Test func `Each of the fourteen proofs is broken by a test`() {
        #expect(Self.names.count == 14)
        #expect(BrokenProof.all.map(\.name) == Self.names)
    }

    @Test func `In memory, every scenario passes that needs no wire; the others are counted`() async throws {
        try await TemporaryStore.with { file in
            let (code, lines) = try await run(.mock, ["--all"], store: file)
            let scenarios = Catalogue.groups.flatMap(\.scenarios)
            let (wires, others) = (scenarios.count(where: \.needsWire), scenarios.count { !$0.needsWire })
            #expect(code == 0, "\(lines.joined(separator: "\n"))")
            #expect(lines.contains("\(wires) need a network; --mode live runs them"))
            #expect(lines.last?.hasPrefix("proven: \(others) of \(others) scenarios passed") == true)
        }
    }

    @Test func `In memory, timeouts and waits pass on a test clock`() async throws {
        try await TemporaryStore.with { file in
            let (code, _) = try await run(.mock, ["timeout", "429 retry"], store: file)
            #expect(code == 0)
            let store = try ActivityStore(path: file)
            // Exact to the nanosecond, which only the test clock can be.
            #expect(try await store.items().map(\.duration) == [.seconds(1), .milliseconds(150)])
            try await store.close()
        }
    }

    @Test func `A scenario that needs a wire is refused in memory, and so is an unknown one`() throws {
        let wire = try #require(
            throws: (any Error).self, performing: { try RunCommand.parse(["--mode", "mock", "gzip"]) })
        #expect(RunCommand.message(for: wire) == #""gzip" needs a network; run it with --mode live"#)
        let unknown = try #require(throws: (any Error).self, performing: { try RunCommand.parse(["tea"]) })
        #expect(RunCommand.message(for: unknown).hasPrefix(#"there is no scenario "tea""#))
        #expect(throws: Never.self) { try RunCommand.parse(["gzip"]) }
    }

    @Test func `Names of scenarios are unique`() {
        let names = Catalogue.groups.flatMap(\.scenarios).map(\.name)
        #expect(Set(names).count == names.count)
    }

    /// Returns the exit code of a run, and its output.
    private func run(
        _ mode: LabMode, _ names: [String], store: String, world: LabWorld = LabWorld()
    ) async throws -> (Int32, [String]) {
        let command = try RunCommand.parse(["--mode", mode.rawValue, "--store", store] + names)
        let printed = PrintedLines()
        do {
            try await printed.take { try await command.run(world) }
            return (0, printed.all)
        } catch let code as ExitCode {
            return (code.rawValue, printed.all)
        }
    }
}
#endif
