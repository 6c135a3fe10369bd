#if canImport(Testing)
internal import Synchronization
internal import Testing

/// Runs a test and detects whether it fails, by an error or by an issue. A known issue isn't a failure.
final class IssueWatch: Sendable {
    private let hasFailed = Atomic(false)

    private init() {}

    static func run(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws -> Bool {
        let watch = IssueWatch()
        let trait: IssueHandlingTrait = .compactMapIssues { issue in
            #if compiler(>=6.3)
            if issue.isFailure { watch.hasFailed.store(true, ordering: .relaxed) }
            #else
            watch.hasFailed.store(true, ordering: .relaxed)
            #endif
            return issue
        }
        try await trait.provideScope(for: test, testCase: testCase, performing: function)
        return !watch.hasFailed.load(ordering: .relaxed)
    }
}

extension Issue {
    /// Records a message that doesn't fail the test.
    static func note(_ text: String, at location: SourceLocation) {
        #if compiler(>=6.3)
        record("\(text)", severity: .warning, sourceLocation: location)
        #else
        print("note: \(text) (\(location))")
        #endif
    }
}
#endif
