import Dispatch
import HTTPTypes
import NetCore
import NetTesting
import Testing

/// A file system that hangs doesn't delay a call.
@Suite(.timeLimit(.minutes(1))) struct FileThreadsTests {
    private let clock = TestClock()
    private let gate = DispatchSemaphore(value: 0)

    private var call: CallContext {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "mock.test", path: "/")
        return CallContext(
            for: PreparedRequest(head: head), delivery: .streamed, timeouts: Timeouts(total: .seconds(2)),
            environment: CallContext.Environment(clock: clock.netClock))
    }

    private func read(during call: CallContext) -> Task<Int, any Error> {
        Task { [gate] in
            try await FileThreads.shared.run(during: call) { () throws(NetError) -> Int in
                gate.wait()
                return 7
            }
        }
    }

    @Test func aCallIsLateForAFileThatIsNotReadInTime() async throws {
        let read = read(during: call)
        try await clock.waitForSleepers(count: 1)
        await clock.advance(by: .seconds(2))
        let error = await #expect(throws: NetError.self) { try await read.value }
        gate.signal()
        #expect(error?.code == .timeout)
    }

    @Test func aCallThatIsEndedDoesNotWaitForAFile() async throws {
        let call = call
        let read = read(during: call)
        call.call.end(RunningCall.EndReason(.shutdown, "the client was shut down"))
        let error = await #expect(throws: NetError.self) { try await read.value }
        gate.signal()
        #expect(error?.code == .shutdown)
        #expect(error?.message == "the client was shut down")
    }

    @Test func aFileThatIsReadInTimeIsReturned() async throws {
        let read = read(during: call)
        try await clock.waitForSleepers(count: 1)
        gate.signal()
        #expect(try await read.value == 7)
        while clock.sleepers > 0, !Task.isCancelled { await Task.yield() }
    }
}
