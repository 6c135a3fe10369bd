#if canImport(Testing)
public import NetCore
public import Testing

/// A trait that forbids real connections to a test, or to every test of a suite; created by `.offline`.
public struct OfflineTrait: TestTrait, SuiteTrait, TestScoping {
    let scope: NetworkAccess.Scope
    let sourceLocation: SourceLocation?

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let location = sourceLocation ?? test.sourceLocation
        try await NetworkAccess.limited(to: scope) { error in
            Issue.record("\(error)", sourceLocation: location)
        } operation: {
            try await function()
        }
    }
}

extension Trait where Self == OfflineTrait {
    /// Forbids real connections: every connection that the test tries to open makes the call throw `.networkDenied`,
    /// and fails the test with an issue that names the redacted URL.
    ///
    /// Stubs and replayed cassettes respond as usual. The trait covers the code that the test awaits and every `Task {
    /// … }` that it creates, but not detached tasks or connections that were already open; see ``NetworkAccess``.
    ///
    ///     import Testing
    ///
    ///     @Test(.offline) func needsNoNetwork() async throws {
    ///         let client = HTTPClient(baseURL: "https://api.example.com")
    ///         try await client.send(GetUser(id: 7))  // fails: networkDenied
    ///     }
    public static var offline: Self { OfflineTrait(scope: .none, sourceLocation: nil) }

    /// The same as `.offline`, except that hosts in `scope` may be reached: with `.loopback`, a test server on this
    /// machine.
    ///
    ///     import Testing
    ///
    ///     @Suite(.offline(allowing: .loopback)) struct LocalTests {}
    public static func offline(
        allowing scope: NetworkAccess.Scope, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        OfflineTrait(scope: scope, sourceLocation: sourceLocation)
    }
}
#endif
