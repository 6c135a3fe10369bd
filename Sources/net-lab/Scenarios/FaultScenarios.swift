#if Tools && Server
internal import Foundation
internal import NetCore
internal import NetHTTP
internal import NetTestServer

/// Scenarios with network faults and the resulting errors. Each call is one attempt.
enum FaultScenarios {
    static let all = [
        fault("stalled body", .stalled, "No further byte within 150 ms.", "timeout while receiving, attempt 1"),
        fault("wrong type", .wrongType, "A number where text should be.", "decoding while decoding, attempt 1"),
        fault("cut off", .cutOff, "The connection ends within the body.", "connectionLost while receiving, attempt 1"),
        fault("reset", .reset, "The connection is reset before the head.", "connectionLost while waiting, attempt 1"),
        refusedPort, deadline,
    ]

    private static func fault(_ name: String, _ fault: ShopFault, _ summary: String, _ expected: String) -> Scenario {
        Scenario(name, summary, expect: expected) { try await $0.trouble(of: fault) }
    }

    private static let refusedPort = Scenario(
        "refused port", "Nothing listens there.", expect: "connect while connecting, attempt 1", needsWire: true
    ) { lab in
        // A port that was in use a moment ago and is free now.
        let server = try await TestServer.start()
        await server.stop()
        let url = try BaseURL("\(server.baseURL)/v1")
        let elsewhere = lab.with {
            $0.baseURL = url
            $0.middleware = []
        }
        lab.tally.countAttemptElsewhere()
        return await elsewhere.trouble(with: GetHealthRequest())
    }

    private static let deadline = Scenario(
        "deadline", "The whole call has 200 ms, retries included.", expect: "timeout while waiting, attempt 1",
        needsWire: true
    ) { lab in
        await lab.with { $0.timeouts = .total(.milliseconds(200)) }.trouble(
            with: GetBookRequest(bookID: ShopFault.slow.id))
    }
}

extension Lab {
    /// Requests a misbehaving book once, with a limit of 150 ms, and returns how that failed.
    func trouble(of fault: ShopFault) async throws -> String {
        let request = GetBookRequest(bookID: fault.id)
        let once = with { $0.middleware = [] }
        guard [.slow, .stalled].contains(fault) else { return await once.trouble(with: request) }
        return try await once.passingTime { lab in
            // Only the limit that is exceeded: on a busy machine, a test clock would also advance to another one.
            let timeouts =
                fault == .slow
                ? Timeouts(firstByte: .milliseconds(150), stall: nil, total: nil)
                : Timeouts(firstByte: nil, stall: .milliseconds(150), total: nil)
            return await lab.with { $0.timeouts = timeouts }.trouble(with: request)
        }
    }
}
#endif
