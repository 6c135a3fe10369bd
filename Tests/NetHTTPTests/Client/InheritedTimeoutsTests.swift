import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import TestSupport
import Testing

/// A request's timeouts override those of its client individually.
@Suite(.timeLimit(.minutes(2))) struct InheritedTimeoutsTests {
    /// Returns the timeouts that apply to a call.
    private func effective(
        _ timeouts: Timeouts?,
        client limits: Timeouts = Timeouts(
            connect: .seconds(1), firstByte: .seconds(2), stall: nil, total: .seconds(4))
    ) async throws -> Timeouts {
        let seen = Locked<Timeouts?>(nil)
        let client = HTTPClient(
            baseURL: "http://mock.test",
            transport: MockTransport { _, context in
                seen.change { $0 = context.timeouts }
                return .text("ok")
            }
        ) {
            $0.timeouts = limits
        }
        var request = Request<Bytes>("x", serializer: .bytes)
        request.options.timeouts = timeouts
        try await client.send(request)
        return try #require(seen.value)
    }

    private func limits(
        connect: Duration? = .seconds(1), firstByte: Duration? = .seconds(2), stall: Duration? = nil,
        total: Duration? = .seconds(4)
    ) -> Timeouts {
        Timeouts(connect: connect, firstByte: firstByte, stall: stall, total: total)
    }

    @Test func unsetRequestTimeoutsComeFromTheClient() async throws {
        #expect(try await effective(nil) == limits())
        #expect(try await effective(Timeouts()) == limits())
        #expect(try await effective(.total(.seconds(9))) == limits(total: .seconds(9)))
        #expect(try await effective(Timeouts(connect: .seconds(9))) == limits(connect: .seconds(9)))
        #expect(try await effective(Timeouts(firstByte: .seconds(9))) == limits(firstByte: .seconds(9)))
        #expect(try await effective(Timeouts(stall: .seconds(9))) == limits(stall: .seconds(9)))
        var changed = Timeouts()
        changed.firstByte = .seconds(9)
        #expect(try await effective(changed) == limits(firstByte: .seconds(9)))
    }

    @Test func nilTakesALimitAway() async throws {
        #expect(try await effective(Timeouts(firstByte: nil, total: nil)) == limits(firstByte: nil, total: nil))
        var changed = Timeouts()
        changed.total = nil
        #expect(try await effective(changed) == limits(total: nil))
    }

    @Test func unsetClientTimeoutsUseTheDefaults() async throws {
        #expect(
            try await effective(.total(.seconds(9)), client: Timeouts(stall: .seconds(3)))
                == Timeouts(connect: .seconds(10), firstByte: .seconds(30), stall: .seconds(3), total: .seconds(9)))
    }

    @Test func anEventSourceKeepsTheLimitsOfItsClientToo() async throws {
        let seen = Locked<Timeouts?>(nil)
        let client = HTTPClient(
            baseURL: "http://mock.test",
            transport: MockTransport { _, context in
                seen.change { $0 = context.timeouts }
                return .status(.noContent)
            }
        ) {
            $0.timeouts = Timeouts(connect: .seconds(1), firstByte: .seconds(2))
        }
        var request = Request<Void>("x")
        request.options.timeouts = Timeouts(connect: .seconds(7), total: .seconds(5))
        for try await _ in EventSource(request, client: client) {}
        #expect(
            seen.value
                == Timeouts(connect: .seconds(7), firstByte: .seconds(2), stall: .seconds(300), total: nil))
    }
}
