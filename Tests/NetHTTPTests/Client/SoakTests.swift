#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Synchronization
import TestSupport
import Testing

/// Tens of thousands of calls of all kinds, 64 concurrently, a tenth of them with a fault and a tenth cancelled: each
/// has one outcome, and memory doesn't grow after the first tenth.
@Suite(.serialized) struct SoakTests {
    fileprivate static let longRun = 200_000
    private static let calls = ProcessInfo.processInfo.environment["NET_SOAK"] == "1" ? longRun : 6000

    /// The client runs in a separate process, so that its memory is only the client's; the server stays in this one.
    @Test(.timeLimit(.minutes(20)), arguments: [Wire.plain, .http2]) func everyCallHasOneOutcome(wire: Wire)
        async throws
    {
        let server = try await Soak.server(over: wire)
        let output = ChildOutput()
        await #expect(processExitsWith: .success) {
            [
                base = server.baseURL.description as String, authority = (server.caCertificatePEM ?? "") as String,
                path = output.path as String,
            ] in
            try await ChildOutput.collect(at: path) {
                try await Soak(calls: SoakTests.calls).run(at: base, trusting: authority)
            }
        }
        await server.stop()
        let lines = output.take()
        for line in lines { print("soak \(wire): \(line)") }
        fflush(nil)
        #expect(lines.count == 1, "\(lines)")
        #expect(lines.allSatisfy { $0.contains(" successes, ") }, "\(lines)")
    }
}

/// One run.
private struct Soak {
    let calls: Int
    private static let concurrency = 64
    private static let faults = Fault.finite

    private static var stubs: [Stub] {
        let faulty = faults.enumerated().map { index, fault in
            Stub(.get, PathTemplate("/faulty/\(index)"), .text(String(repeating: "a", count: 2000))).faulting(fault)
        }
        return faulty + [
            Stub(.get, "/small", .text("small")), Stub(.get, "/missing", .text("no", status: .notFound)),
            Stub(.get, "/moved", StubResponse(status: .found, headers: [.location: "/small"])),
            Stub(.get, "/large", .text(String(repeating: "b", count: 40_000))), .mirror(), .pattern(),
        ]
    }

    /// The server of a run.
    static func server(over wire: Wire) async throws -> TestServer {
        var configuration = wire == .plain ? TestServer.Configuration() : .tls()
        configuration.maximumLoggedRequests = 100
        configuration.maximumLoggedBodyBytes = 0
        return try await TestServer.start(stubs, configuration: configuration)
    }

    /// Makes all calls; `authority` is empty without TLS.
    func run(at base: String, trusting authority: String) async throws {
        let counter = OutcomeCounter()
        var settings = CurlTransport.Configuration()
        settings.proxy = .none
        if !authority.isEmpty { settings.tls.trust = .authorities(.text(authority)) }
        let transport = CurlTransport(configuration: settings)
        var configuration = HTTPClient.Configuration(
            baseURL: try BaseURL(base), timeouts: Timeouts(firstByte: .seconds(10), stall: .seconds(10)))
        configuration.listeners = [counter]
        let client = HTTPClient(configuration: configuration, transport: transport)

        // One-time allocations of the process aren't growth: the first tenth runs before the measurement, and more than
        // that in a short run.
        let first = max(calls / 10, min(calls / 2, 8000))
        await some(first, from: 0, client, counter)
        let begin = ThisProcess.residentBytes
        await some(calls - first, from: first, client, counter)
        let end = ThisProcess.residentBytes

        counter.check(calls: calls, unfinished: client.unfinishedCalls)
        let grown = end - begin
        print("\(counter), grew \(grown >> 10) KiB from \(begin >> 10) KiB")
        fflush(nil)
        // In a short run, memory hasn't settled yet.
        let limit = calls == SoakTests.longRun ? max(begin / 20, 4 << 20) : 8 << 20
        if grown > limit { ThisProcess.fail("memory grew by \(grown) of \(begin) bytes") }
        // A dropped body ends its call immediately; its transfer ends when the loop is notified.
        for _ in 0..<500 where transport.statistics.liveTransfers != 0 { try await Task.sleep(for: .milliseconds(10)) }
        if transport.statistics.liveTransfers != 0 { ThisProcess.fail("transfers are left: \(transport.statistics)") }
        await client.shutdown()
    }

    private func some(_ count: Int, from first: Int, _ client: HTTPClient, _ counter: OutcomeCounter) async {
        let next = Locked(first)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.concurrency {
                group.addTask {
                    while true {
                        let number = next.next()
                        guard number < first + count else { return }
                        await call(number, client, counter)
                    }
                }
            }
        }
    }

    /// Makes the call with this number; every tenth is cancelled at some point.
    private func call(_ number: Int, _ client: HTTPClient, _ counter: OutcomeCounter) async {
        guard number % 10 == 3 else { return await request(number, client, counter) }
        let task = Task { await request(number, client, counter) }
        for _ in 0..<(number / 10 % 40) { await Task.yield() }
        if number % 3 == 0 { try? await Task.sleep(for: .microseconds(number % 1500)) }
        task.cancel()
        await task.value
    }

    private func request(_ number: Int, _ client: HTTPClient, _ counter: OutcomeCounter) async {
        do throws(APIError<Never>) {
            switch number % 10 {
            case 0:
                let path: Path = "faulty/\(number / 10 % Self.faults.count)"
                try await client.send(Request<Bytes>(path, serializer: .bytes))
            case 1: try await client.send(Request<Bytes>("missing", serializer: .bytes))
            case 2, 3: try await client.send(Request<Bytes>("large", serializer: .bytes))
            case 4:
                let body = RequestBody.bytes(BytePattern.bytes(from: 0, count: 3000))
                try await client.send(Request<Bytes>("mirror", method: .post, body: body, serializer: .bytes))
            case 5: try await stream(number, client)
            case 6: try await client.send(Request<Bytes>("moved", serializer: .bytes))
            default: try await client.send(Request<Bytes>("small", serializer: .bytes))
            }
            counter.returned()
        } catch {
            counter.threw(error.netError)
        }
    }

    /// Makes a streamed call, which is read to its end or dropped.
    private func stream(_ number: Int, _ client: HTTPClient) async throws(APIError<Never>) {
        var request = Request<Bytes>("bytes", serializer: .bytes)
        request.query = [QueryItem("bytes", 60_000)]
        let response = try await client.stream(request)
        do throws(NetError) {
            for try await _ in response.body where number % 20 == 5 { return }
        } catch {
            throw .failed(error)
        }
    }
}

extension Locked<Int> {
    fileprivate func next() -> Int {
        var number = 0
        change { value in
            number = value
            value += 1
        }
        return number
    }
}

/// Counts the outcomes of calls, as reported to their callers and to the listeners.
private final class OutcomeCounter: ActivityListener, CustomStringConvertible {
    private let successes = Atomic(0)
    /// The counts by code.
    private let failures = Mutex<[NetError.Code: Int]>([:])
    private let started = Atomic(0)
    private let ended = Atomic(0)

    func returned() { successes.add(1, ordering: .relaxed) }
    func threw(_ error: NetError?) { failures.withLock { $0[error?.code ?? .unknown, default: 0] += 1 } }

    func record(_ event: ActivityEvent) {
        switch event.kind {
        case .started: started.add(1, ordering: .relaxed)
        case .ended: ended.add(1, ordering: .relaxed)
        default: break
        }
    }

    var description: String {
        let failures = failures.withLock { $0.sorted { $0.value > $1.value } }
        let kinds = failures.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return "\(successes.load(ordering: .relaxed)) successes, \(failureCount) failures (\(kinds))"
    }

    private var failureCount: Int { failures.withLock { $0.values.reduce(0, +) } }

    func check(calls: Int, unfinished: Int) {
        let outcomes = successes.load(ordering: .relaxed) + failureCount
        let (began, finished) = (started.load(ordering: .relaxed), ended.load(ordering: .relaxed))
        guard outcomes == calls, began == calls, finished == calls, unfinished == 0 else {
            ThisProcess.fail(
                "\(calls) calls: \(outcomes) outcomes, \(began) begun, \(finished) ended, \(unfinished) unfinished")
        }
    }
}
#endif
