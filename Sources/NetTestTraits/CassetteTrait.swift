#if canImport(Testing)
public import Testing

/// A trait that provides a test with a cassette; created by `.cassette("name")`.
public struct CassetteTrait: TestTrait, TestScoping {
    let options: CassetteOptions

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await options.provideScope(named: options.name, for: test, testCase: testCase, performing: function)
    }
}

/// A trait that provides each test of a suite with a separate cassette; created by `.cassettes(in: "name")`.
///
/// A trait that suites pass on to their tests must also be a test trait.
public struct CassetteSuiteTrait: SuiteTrait, TestTrait, TestScoping {
    let options: CassetteOptions

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // `Suite/Inner/test(id:)` has the cassette name/Suite/Inner/test.
        let parts = test.id.nameComponents.map { $0.prefix { $0 != "(" } }
        let name = ([options.name[...]] + parts).joined(separator: "/")
        try await options.provideScope(named: name, for: test, testCase: testCase, performing: function)
    }
}
#endif
