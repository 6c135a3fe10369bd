#if Server
import NetCore
import NetSocketServer
import NetTesting
import Testing

/// One rule of ``FanOutEngine``, which can be checked with any engine.
struct FanOutCheck: Sendable, CustomTestStringConvertible {
    let name: String
    let run: @Sendable (FanOutWorld) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (FanOutWorld) async throws -> Void) {
        self.name = name
        self.run = run
    }

    var testDescription: String { name }

    static let all = messages + histories + presence + ends
}

/// Checks every rule that applies to all engines.
///
/// - Parameter make: Creates engines for the given number of servers, in a separate world for each check.
func checkFanOutEngine(_ make: (_ servers: Int) async throws -> FanOutWorld) async throws {
    for check in FanOutCheck.all { try await checkFanOutEngine(check, make) }
}

/// Checks one rule.
func checkFanOutEngine(_ check: FanOutCheck, _ make: (_ servers: Int) async throws -> FanOutWorld) async throws {
    let world = try await make(2)
    do {
        try await check.run(world)
    } catch {
        await world.close()
        throw error
    }
    await world.close()
}

/// Expects an error with this code.
func expect(
    _ code: NetError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws(NetError) -> Void
) async {
    do throws(NetError) {
        try await body()
        Issue.record("no error, expected \(code)", sourceLocation: sourceLocation)
    } catch {
        #expect(error.code == code, sourceLocation: sourceLocation)
    }
}
#endif
