import HTTPTypes
import NetTesting
import TestSupport

@testable import NetCore

/// Keeps the events that it receives.
final class EventLog: ActivityListener {
    private let kept = Locked<[ActivityEvent]>([])
    let interest: ActivityInterest

    init(_ interest: ActivityInterest = .calls) { self.interest = interest }

    var events: [ActivityEvent] { kept.value }
    var names: [String] { events.map(\.name) }
    var attempts: [ActivityEvent.Attempt] {
        events.compactMap { if case .attemptEnded(let attempt) = $0.kind { attempt } else { nil } }
    }
    func record(_ event: ActivityEvent) { kept.change { $0.append(event) } }
}

/// A transport that calls a closure.
struct FunctionTransport: HTTPTransport {
    var endsWithCall = false
    let run: @Sendable (PreparedRequest, CallContext) async throws(NetError) -> StreamedResponse

    func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
        try await run(request, context)
    }
}

extension PreparedRequest {
    /// A request to `https://a.test`.
    static func test(
        _ path: String = "/", method: HTTPRequest.Method = .get, headers: HTTPFields = [:],
        body: RequestBody.Content = .none, _ configure: (inout RequestOptions) -> Void = { _ in }
    ) -> PreparedRequest {
        PreparedRequest(
            head: HTTPRequest(method: method, scheme: "https", authority: "a.test", path: path, headerFields: headers),
            body: body, options: RequestOptions { configure(&$0) })
    }
}

extension CallContext {
    /// The context of a call on a clock that doesn't advance.
    static func test(
        _ request: PreparedRequest = .test(), _ clock: TestClock = TestClock(), total: Duration? = nil,
        listeners: [any ActivityListener] = []
    ) -> CallContext {
        CallContext(
            for: request, delivery: .streamed, timeouts: Timeouts(total: total),
            environment: Environment(clock: clock.netClock, listeners: listeners))
    }
}

/// A body whose consumer waits until it is cancelled, after some chunks.
final class HeldSource: BodySource {
    private let chunks: Locked<[Bytes]>
    private let count = Locked(0)
    private let end: NetError?

    init(_ texts: [String] = [], end: NetError? = nil) {
        chunks = Locked(texts.map { Bytes($0.utf8) })
        self.end = end
    }

    var cancellations: Int { count.value }
    func cancel() { count.change { $0 += 1 } }
    func next() async throws(NetError) -> Bytes? {
        var next: Bytes?
        chunks.change { next = $0.isEmpty ? nil : $0.removeFirst() }
        if next == nil, let end { throw end }
        return next
    }
}
