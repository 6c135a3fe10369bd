import Foundation
import Testing

@Suite struct ScriptTests {
    @Test func bootstrapHasNothingToSayWhenAllIsThere() async throws {
        for _ in 1...2 {
            let result = try await run("scripts/bootstrap", [])
            #expect(result.status == 0)
            #expect(result.output.isEmpty, "\(result.output)")
        }
    }

    @Test func bootstrapRefusesWhatItDoesNotKnow() async throws {
        let result = try await run("scripts/bootstrap", ["--everything"])
        #expect(result.status == 1)
        #expect(result.output == "bootstrap: unknown argument \"--everything\"; there are only --tests and --bench\n")
    }

    @Test func anUnknownConformanceSetIsAnErrorThatNamesTheOthers() async throws {
        let result = try await run("scripts/conformance", ["nonsense"])
        #expect(result.status == 2)
        #expect(result.lines.last?.contains("sse") == true, "\(result.output)")
        #expect(try await run("scripts/conformance", []).status == 2)
        #expect(try await run("scripts/conformance", ["../check"]).status == 2)
    }

    @Test func theScriptsWorkFromAnywhereAndFromAPathWithSpaces() async throws {
        try await withTemporaryFolder { folder in
            for name in ["scripts", "Sources", "docs", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"] {
                try FileManager.default.copyItem(
                    at: PackageFolder.root.appendingPathComponent(name), to: folder.appendingPathComponent(name))
            }
            let elsewhere = FileManager.default.temporaryDirectory
            let script = folder.appendingPathComponent("scripts/check").path
            let result = try await run(script, ["imports", "unchecked"], in: elsewhere)
            #expect(result.status == 0, "\(result.output)")
            #expect(result.lines.last == "2 of 2 rules hold")
        }
    }

    @Test func aForbiddenImportIsFound() async throws {
        try await withTemporaryFolder { folder in
            for name in ["scripts", "Sources"] {
                try FileManager.default.copyItem(
                    at: PackageFolder.root.appendingPathComponent(name), to: folder.appendingPathComponent(name))
            }
            let file = folder.appendingPathComponent("Sources/NetCore/Exports.swift")
            let text = try String(contentsOf: file, encoding: .utf8) + "import FoundationNetworking\nimport NetHTTP\n"
            try text.write(to: file, atomically: true, encoding: .utf8)
            let result = try await run(folder.appendingPathComponent("scripts/check").path, ["imports"], in: folder)
            #expect(result.status == 1)
            #expect(result.output.contains("FoundationNetworking is never imported"))
            #expect(result.output.contains("NetCore must not import NetHTTP"))
        }
    }
}
