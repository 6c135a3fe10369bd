import NetCore
import TestSupport
import Testing

/// Runs a call that must fail, and returns its error.
func failure(
    _ location: SourceLocation = #_sourceLocation, _ call: () async throws -> some Any
) async throws -> NetError {
    do {
        let value = try await call()
        throw try #require(nil as (any Error)?, "the call should have failed: \(value)", sourceLocation: location)
    } catch let error as NetError {
        return error
    }
}

/// Runs `body` with a limit; nil if it takes longer. It is cancelled then.
func within<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
    }
}

/// Waits until a condition holds, up to a limit; returns true if it does.
func eventually(within limit: Duration = .seconds(5), _ condition: () async throws -> Bool) async rethrows -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while clock.now < end {
        if try await condition() { return true }
        try? await clock.sleep(for: .milliseconds(5))
    }
    return try await condition()
}

/// Waits until a count hasn't changed for a while: every buffer on the path is then full.
func standstill(of count: () -> Int) async throws {
    var last = -1
    while count() != last {
        last = count()
        try await Task.sleep(for: .milliseconds(300))
    }
}

/// Expects that an exit test completed without ``ThisProcess/fail(_:)``.
func expectNothingPrinted(by child: ExitTest.Result?, _ location: SourceLocation = #_sourceLocation) {
    let text = String(decoding: child?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text == "", sourceLocation: location)
}
