import Foundation
import Testing

/// The conformance sets, run like a user would. Without the shared data, they use the files in Fixtures.
@Suite(.serialized) struct ConformanceTests {
    /// Runs a set, and builds its program without optimization, which takes a third of the time.
    private func conformance(_ name: String, environment: [String: String] = [:]) async throws -> ProgramResult {
        let debug = ["NET_CONFIGURATION": "debug"]
        return try await run("scripts/conformance", [name], environment: environment.merging(debug) { own, _ in own })
    }

    private func expectAllPass(_ name: String, environment: [String: String] = [:]) async throws {
        let result = try await conformance(name, environment: environment)
        #expect(result.status == 0, "\(result.output.suffix(4000))")
        let words = (result.lines.last ?? "").split(separator: " ")
        try #require(words.count == 4, "\(result.lines.last ?? "")")
        #expect(words.first == "passed", "\(result.lines.last ?? "")")
        #expect(words[1] == words[3], "\(result.lines.last ?? "")")
        print("conformance \(name): \(result.lines.last ?? "")")
    }

    @Test func serverSentEventsAreReadAsTheStandardSays() async throws {
        try await expectAllPass("sse")
    }

    @Test func templatesExpandAsRFC6570Says() async throws {
        try await expectAllPass("uri-template")
    }

    @Test func formsAreWrittenAndReadAsBrowsersDo() async throws {
        try await expectAllPass("multipart")
    }

    @Test func structuredFieldsAreReadAndWrittenAsRFC9651Says() async throws {
        try await expectAllPass("fields")
    }

    @Test func theCacheDoesWhatRFC9111Says() async throws {
        guard PackageFolder.hasSharedData("http-cache-tests/tests.json") else {
            return print("skipped: all tests of the HTTP cache suite, the shared data is absent (NET_DATA)")
        }
        let result = try await conformance("http-cache")
        #expect(result.status == 0, "\(result.output.suffix(4000))")
        print("conformance http-cache: \(result.lines.last ?? "")")
    }

    @Test func yamlIsReadNoWorseThanByItsLibrary() async throws {
        guard PackageFolder.hasSharedData("conformance/yaml-test-suite/cases.json") else {
            return print("skipped: all cases of the YAML test suite, the shared data is absent (NET_DATA)")
        }
        let server = try #require(PackageFolder.product("openapi-server"))
        try await expectAllPass("yaml", environment: ["NET_OPENAPI_SERVER": server.path])
    }

    @Test func generatedCodeCompilesAndEveryOperationIsCalled() async throws {
        try await expectAllPass("openapi-calls", environment: builtPrograms())
    }

    @Test func realDocumentsBecomeCodeThatReadsTheirExamples() async throws {
        try await expectAllPass("openapi", environment: builtPrograms())
    }

    /// The programs and modules that this test run has built.
    private func builtPrograms() throws -> [String: String] {
        let generator = try #require(PackageFolder.product("net-openapi-generate"))
        // The tests hold the build folder's lock: a set that builds there would wait for their end.
        let server = try #require(PackageFolder.product("openapi-server"))
        return [
            "NET_GENERATOR": generator.path, "NET_OPENAPI_SERVER": server.path,
            "NET_MODULES": server.deletingLastPathComponent().path,
        ]
    }
}
