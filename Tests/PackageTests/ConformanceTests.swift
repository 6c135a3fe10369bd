import Foundation
import Testing

/// The conformance sets, run like a user would. Without the shared data, they use the files in Fixtures.
@Suite(.serialized) struct ConformanceTests {
    /// The variable with the path of the built program that several sets run. The tests hold the build folder's lock, so a
    /// set that builds there would wait for their end.
    private func cases() throws -> [String: String] {
        ["NET_CASES": try #require(PackageFolder.product("conformance-cases")).path]
    }

    @discardableResult
    private func expectSuccess(_ name: String, environment: [String: String]) async throws -> ProgramResult {
        let result = try await run("scripts/conformance", [name], environment: environment)
        #expect(result.status == 0, "\(result.output.suffix(4000))")
        print("conformance \(name): \(result.lines.last ?? "")")
        return result
    }

    private func expectAllPass(_ name: String, environment: [String: String]) async throws {
        let result = try await expectSuccess(name, environment: environment)
        let words = (result.lines.last ?? "").split(separator: " ")
        try #require(words.count == 4, "\(result.lines.last ?? "")")
        #expect(words.first == "passed", "\(result.lines.last ?? "")")
        #expect(words[1] == words[3], "\(result.lines.last ?? "")")
    }

    @Test func serverSentEventsAreReadAsTheStandardSays() async throws {
        try await expectAllPass("sse", environment: cases())
    }

    @Test func templatesExpandAsRFC6570Says() async throws {
        try await expectAllPass("uri-template", environment: cases())
    }

    @Test func formsAreWrittenAndReadAsBrowsersDo() async throws {
        try await expectAllPass("multipart", environment: cases())
    }

    @Test func structuredFieldsAreReadAndWrittenAsRFC9651Says() async throws {
        try await expectAllPass("fields", environment: cases())
    }

    @Test func theCacheDoesWhatRFC9111Says() async throws {
        guard PackageFolder.hasSharedData("http-cache-tests/tests.json") else {
            return print("skipped: all tests of the HTTP cache suite, the shared data is absent (NET_DATA)")
        }
        try await expectSuccess("http-cache", environment: cases())
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
