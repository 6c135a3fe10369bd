#if Server && os(Linux)
import CCurl
@testable import ClientTestSupport
import NetHTTP
import NetTestServer
import NetTesting
import Testing

@testable import NetCurl

@Suite(.serialized, .timeLimit(.minutes(2))) struct IdleMemoryTests {
    /// libcurl allocates a buffer for each transfer; newer versions (8.8) have one for the whole multi handle.
    private static let hasBufferForEach = (net_version_info()?.pointee.version_num ?? 0) < 0x080800

    /// In a separate process, because all engines of a process share the memory that libcurl keeps.
    @Test(.enabled(if: hasBufferForEach)) func aClientThatHasNothingToDoGivesTheMemoryOfManyCallsBack() async throws {
        let child = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            do {
                try await IdleMemoryTests().run()
            } catch {
                ThisProcess.fail("\(error)")
            }
        }
        #expect(String(decoding: child?.standardErrorContent ?? [], as: UTF8.self) == "")
    }

    private func run() async throws {
        let late = Stub(.get, "/late", .text("late").delayed(by: .seconds(2)))
        try await Fixture.run([late]) { fixture in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<64 {
                    group.addTask { try await fixture.client.send(Request<Bytes>("late", serializer: .bytes)) }
                }
                try await group.waitForAll()
            }
            let busy = CurlGlobal.buffers.warmBlocks
            if busy < 32 { ThisProcess.fail("64 calls at once left \(busy) buffers") }
            for _ in 0..<200 where CurlGlobal.buffers.warmBlocks > 16 { try await Task.sleep(for: .milliseconds(50)) }
            let idle = CurlGlobal.buffers.warmBlocks
            if idle > 16 { ThisProcess.fail("\(idle) of \(busy) buffers kept their memory") }
        }
    }
}
#endif
