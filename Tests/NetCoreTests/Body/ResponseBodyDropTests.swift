import NetCore
import Synchronization
import Testing

@Suite struct ResponseBodyDropTests {
    @Test func droppingAnUnreadBodyRunsItsHooksFromTheTransportOutwards() async throws {
        let order = Mutex<[String]>([])
        do {
            let source = ScriptedSource(["one", "two"])
            let body = ResponseBody(source: source)
                .onEnd { _ in order.withLock { $0.append("attempt") } }
                .onEnd { _ in order.withLock { $0.append("call") } }
            for try await _ in body { break }
            #expect(order.withLock { $0 } == [])
        }
        #expect(order.withLock { $0 } == ["attempt", "call"])
    }

    @Test func aBodyThatHasEndedIsNotCancelledWhenItIsDropped() async throws {
        let ends = Mutex<[String]>([])
        let source = ScriptedSource(["one"])
        do {
            let body = ResponseBody(source: source).onEnd { end in ends.withLock { $0.append("\(end)") } }
            #expect(try await body.collect(upTo: 10).count == 3)
        }
        #expect(ends.withLock { $0 } == ["finished(bytes: 3)"])
    }
}
