#if Tools
internal import HTTPTypes
internal import NetCore
internal import NetRecord
internal import NetStore
internal import NetTesting

/// Replays a cassette without a network: sends each of its requests to it again, in order, and expects the recorded
/// response.
struct ReplayCheck {
    /// The maximum number of failures reported individually; further ones are only counted.
    private static let mostFindings = 5

    /// An error for each exchange that can't be replayed, or a note that all can be.
    private(set) var findings: [Finding] = []
    /// The number of exchanges sent. WebSockets are skipped: their messages would need a sender.
    private(set) var count = 0

    init(path: String) async throws {
        let exchanges = try Cassette.read(from: path).exchanges
        let replay = try ReplayTransport(cassette: path, mode: .none, environment: ReplayEnvironment())
        var failed = 0
        for (index, exchange) in exchanges.enumerated() where exchange.response?.socket == nil {
            count += 1
            guard let problem = await Self.problem(of: exchange, on: replay) else { continue }
            failed += 1
            if failed > Self.mostFindings { continue }
            let url = RedactionPolicy.safeDefault.redact(exchange).request.url
            findings.append(
                Finding(
                    rule: "replay", severity: .error, title: "Exchange \(index + 1) can't be replayed", text: problem,
                    advice: "Record it again.", filter: "~u \(ActivityFilter.quoted(url))", count: 1))
        }
        await replay.shutdown()
        if failed > Self.mostFindings {
            findings[Self.mostFindings - 1].text += " \(failed - Self.mostFindings) more can't be replayed either."
        }
        if failed == 0, count > 0 {
            let requests = count == 1 ? "Its request" : "Each of its \(count) requests"
            findings = [
                Finding(
                    rule: "replay", severity: .note, title: "The cassette can be replayed",
                    text: "\(requests) gets the response that was recorded.", advice: "",
                    filter: "~all", count: count)
            ]
        }
    }

    /// Returns the reason why the exchange can't be replayed; nil if it can.
    private static func problem(of exchange: CapturedExchange, on replay: ReplayTransport) async -> String? {
        if exchange.request.body.isCut { return "The body of its request is truncated, so no request can match it." }
        let sent = exchange.request
        let head = HTTPRequest(method: sent.method, url: sent.url, headerFields: sent.headers)
        let bytes = sent.body.bytes
        let request = PreparedRequest(head: head, body: bytes.isEmpty ? .none : .bytes(bytes))
        let failure = exchange.failure ?? exchange.response?.body.failure
        do throws(NetError) {
            let response = try await replay.execute(request, context: CallContext(for: request, delivery: .streamed))
            let body = try await response.bytes()
            guard failure == nil else {
                return "A response was received, but \(failure?.code ?? "a failure") was recorded."
            }
            let recorded = exchange.response
            if response.head.status != recorded?.status { return "Status \(response.head.status.code) was received." }
            return body == recorded?.body.bytes ? nil : "A different body of \(body.count) bytes was received."
        } catch {
            return error.code.rawValue == failure?.code ? nil : error.message
        }
    }
}
#endif
