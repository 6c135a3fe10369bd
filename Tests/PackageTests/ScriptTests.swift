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
            for name in ["scripts", "Sources", "docs", "Package.swift", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
            {
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

    @Test(arguments: [
        ("Sources/NetCore/Exports.swift", "import FoundationNetworking\n", "FoundationNetworking is never imported"),
        ("Sources/NetCore/Exports.swift", "import NetHTTP\n", "NetCore must not import NetHTTP"),
        (
            "Sources/NetCore/Exports.swift", "struct Inflater {}\n",
            "Inflater is declared in NetCompression and in NetCore"
        ),
        (
            "docs/architecture.md", "| `NetStore` | `NetCore` |  |\n",
            "NetStore: CSQLite stands only in scripts/check.d/20-imports"
        ),
    ])
    func aWrongImportIsFound(file: String, addition: String, finding: String) async throws {
        try await withTemporaryFolder { folder in
            for name in ["scripts", "Sources", "docs", "Package.swift"] {
                try FileManager.default.copyItem(
                    at: PackageFolder.root.appendingPathComponent(name), to: folder.appendingPathComponent(name))
            }
            let place = folder.appendingPathComponent(file)
            let text = try String(contentsOf: place, encoding: .utf8) + addition
            try text.write(to: place, atomically: true, encoding: .utf8)
            let result = try await run(folder.appendingPathComponent("scripts/check").path, ["imports"], in: folder)
            #expect(result.status == 1)
            #expect(result.output.contains(finding), "\(result.output)")
        }
    }
}
