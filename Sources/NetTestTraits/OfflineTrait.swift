#if canImport(Testing)
public import NetCore
public import Testing

/// Forbids a test, or every test of a suite, real connections; made by `.offline`.
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
    /// Every real connection that the test tries to open fails the call with `.networkDenied`, and the test with an issue
    /// that names the redacted URL.
    ///
    /// Stubs and replayed cassettes answer as ever. It reaches what the test awaits and every `Task { … }` it makes, not
    /// detached tasks and not connections that were open before; see ``NetworkAccess``.
    ///
    ///     import Testing
    ///
    ///     @Test(.offline) func needsNoNetwork() async throws {
    ///         let client = HTTPClient(baseURL: "https://api.example.com")
    ///         try await client.send(GetUser(id: 7))  // fails: networkDenied
    ///     }
    public static var offline: Self { OfflineTrait(scope: .none, sourceLocation: nil) }

    /// The same, but what `scope` holds may be reached: with `.loopback`, a test server on this machine.
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
