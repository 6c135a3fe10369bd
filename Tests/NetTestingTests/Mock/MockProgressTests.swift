import HTTPTypes
import NetCore
import NetTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MockProgressTests {
    private final class Reports: Sendable {
        let all = Mutex<[TransferProgress]>([])

        func observer(every interval: Duration) -> ProgressObserver {
            ProgressObserver(every: interval) { report in self.all.withLock { $0.append(report) } }
        }

        func of(_ kind: TransferProgress.Kind) -> [TransferProgress] { all.withLock { $0.filter { $0.kind == kind } } }
    }

    private let reports = Reports()

    private func call(
        _ method: HTTPRequest.Method = .post, body: RequestBody.Content = .none,
        delivery: BodyDelivery = .collected(upTo: 1 << 20), every interval: Duration = .zero,
        clock: TestClock = TestClock()
    ) -> (request: PreparedRequest, context: CallContext) {
        var request = PreparedRequest(
            head: HTTPRequest(method: method, scheme: "http", authority: "api.test", path: "/x"), body: body)
        request.options.progress = reports.observer(every: interval)
        let environment = CallContext.Environment(clock: clock.netClock, random: SeededRandom(seed: 1).netRandom)
        let context = CallContext(
            for: request, delivery: delivery, timeouts: Timeouts(), environment: environment)
        return (request, context)
    }

    @Test func bothBodiesAreReportedFromZeroToTheirSize() async throws {
        let transport = MockTransport([Stub(.post, "/x", .chunks(["one", "three"]))])
        let call = call(body: .bytes(Bytes("upload".utf8)))
        _ = try await transport.execute(call.request, context: call.context)
        #expect(
            reports.of(.upload) == [.init(.upload, completed: 0, total: 6), .init(.upload, completed: 6, total: 6)])
        #expect(reports.of(.download).map(\.completed) == [0, 3, 8])
    }

    @Test func aStreamedUploadIsReportedAsItIsRead() async throws {
        let transport = MockTransport([Stub(.post, "/x") { _ in .text("fine") }])
        let body = RequestBody.Content.stream(length: nil, isReplayable: false) {
            ChunkSource(["ab", "cde"])
        }
        let call = call(body: body)
        _ = try await transport.execute(call.request, context: call.context)
        #expect(reports.of(.upload).map(\.completed) == [0, 2, 5])
        #expect(reports.of(.upload).allSatisfy { $0.total == nil })
        #expect(
            reports.of(.download) == [
                .init(.download, completed: 0, total: 4), .init(.download, completed: 4, total: 4),
            ]
        )
    }

    @Test func nothingIsReportedOnceABodyIsCancelled() async throws {
        let transport = MockTransport([Stub(.post, "/x", .chunks(["one", "two"]))])
        let call = call(delivery: .streamed)
        let response = try await transport.execute(call.request, context: call.context)
        var iterator = response.body.makeAsyncIterator()
        _ = try await iterator.next()
        response.body.cancel()
        _ = try? await iterator.next()
        #expect(reports.of(.download).map(\.completed) == [0, 3])
    }

    @Test func aHeadRequestHasNoDownload() async throws {
        let transport = MockTransport([Stub(.head, "/x", .text("unseen"))])
        let call = call(.head)
        _ = try await transport.execute(call.request, context: call.context)
        #expect(reports.all.withLock { $0 }.isEmpty)
    }

    /// The interval is measured by the call's clock.
    @Test func reportsInBetweenKeepTheirDistance() async throws {
        let chunks = (0..<10).map { _ in StubChunk(Bytes("x".utf8), after: .milliseconds(30)) }
        let transport = MockTransport([Stub(.get, "/x", StubResponse(body: .chunks(chunks)))])
        let clock = TestClock()
        let (request, context) = call(.get, every: .milliseconds(100), clock: clock)
        try await clock.run { _ = try await transport.execute(request, context: context) }
        #expect(reports.of(.download).map(\.completed) == [0, 4, 8, 10])
    }
}

private final class ChunkSource: BodySource {
    private let chunks: Mutex<[String]>

    init(_ chunks: [String]) { self.chunks = Mutex(chunks) }

    func next() async throws(NetError) -> Bytes? {
        chunks.withLock { $0.isEmpty ? nil : Bytes($0.removeFirst().utf8) }
    }

    func cancel() {}
}
