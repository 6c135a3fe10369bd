#if Tools
internal import HTTPTypes
internal import NetCore
internal import NetStore
internal import NetTesting

/// Checks the attempts of a stored call against a contract. Unused expectations don't count.
struct ContractProof {
    /// The result: a line for each attempt, followed by its violations.
    let text: String

    init(_ bundle: ProofBundle, contract path: String) async throws {
        let contract = try Contract(contentsOf: path)
        let attempts = bundle.detail.attempts
        let item = bundle.detail.item
        var lines = ["contract \"\(contract.name)\""]
        for (attempt, stored) in zip(attempts, bundle.detail.capturedExchanges()) where !stored.isHandshake {
            let exchange = RedactionPolicy.safeDefault.withPlainMarks(stored)
            // The stored response is replayed, so that request and response are checked as if from a real server.
            let transport = ContractTransport(contract, over: MockTransport { _, _ in try Self.response(exchange) })
            let head = HTTPRequest(
                method: exchange.request.method, url: exchange.request.url, headerFields: exchange.request.headers)
            let bytes = exchange.request.body.bytes
            var request = PreparedRequest(head: head, body: bytes.isEmpty ? .none : .bytes(bytes))
            request.options.metadata = RequestMetadata(name: item.name, operationID: item.operation, tags: item.tags)
            // The report contains any thrown error.
            _ = try? await transport.execute(request, context: CallContext(for: request, delivery: .streamed))
            lines += Self.lines(of: transport.report, attempt: attempt.number)
        }
        text = lines.joined(separator: "\n")
    }

    private static func response(_ exchange: CapturedExchange) throws -> StubResponse {
        guard let response = exchange.response else {
            let failure = exchange.failure ?? .init(code: NetError.Code.connectionLost.rawValue, message: "")
            throw NetError(NetError.Code(rawValue: failure.code), phase: .waiting, message: failure.message)
        }
        return StubResponse(status: response.status, headers: response.headers, body: .bytes(response.body.bytes))
    }

    private static func lines(of report: ContractReport, attempt: Int) -> [String] {
        let violations = report.violations.filter { $0.kind != .unusedExpectation }
        if violations.isEmpty { return ["attempt \(attempt): as \(report.matches.last?.expectation ?? "expected")"] }
        return violations.flatMap { ["attempt \(attempt): \($0.kind.rawValue)", "  \($0.description)"] }
    }
}
#endif
