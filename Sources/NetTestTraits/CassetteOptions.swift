#if canImport(Testing)
internal import NetCore
internal import NetTesting
internal import Testing

/// The arguments of a `.cassette` trait.
struct CassetteOptions: Sendable {
    var name: String
    var folder: String
    var filePath: String
    /// The options of a session; the path is set later.
    var session = ReplaySession.Options(path: "")
    var verifiesUse: Bool
    var sourceLocation: SourceLocation

    /// Runs a test, or one case of a test, with the cassette of that name.
    func provideScope(
        named name: String, for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let scope = CassetteScope(self, name: name, needsPart: testCase?.isParameterized ?? false)
        do {
            let hasPassed = try await IssueWatch.run(for: test, testCase: testCase) {
                try await CassetteScope.$current.withValue(scope) { try await function() }
            }
            scope.finish(hasPassed: hasPassed)
        } catch {
            scope.finish(hasPassed: false)
            throw error
        }
    }
}
#endif
