#if Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting
internal import Synchronization

/// Checks the requests of a server, records the errors in them, and creates the responses.
final class OpenAPIAnswers: Sendable {
    private struct Key: Hashable {
        let operation: Int
        let accept: String
    }

    private struct State {
        var faults = RecentItems<OpenAPIReport.Fault>(limit: OpenAPIServer.maximumFaults)
        var faultCount = 0
        var requestCount = 0
        var uses: [Int: Int] = [:]
        var responses: [Key: StubResponse] = [:]
        var sampleFindings: [OpenAPIFinding] = []
    }

    /// The maximum number of cached responses, for all operations and `Accept` values together.
    private static let rememberedResponses = 10_000

    let validator: OpenAPIValidator
    private let seed: UInt64
    private let refusesFaults: Bool
    private let state = Mutex(State())

    init(_ validator: OpenAPIValidator, seed: UInt64, refusesFaults: Bool) {
        (self.validator, self.seed, self.refusesFaults) = (validator, seed, refusesFaults)
    }

    var report: OpenAPIReport {
        state.withLock { state in
            var counts: [String: Int] = [:]
            for (index, operation) in validator.description.operations.enumerated() {
                counts[operation.name, default: 0] += state.uses[index] ?? 0
            }
            return OpenAPIReport(
                faults: state.faults.items, faultCount: state.faultCount, requestCount: state.requestCount,
                operations: counts, sampleFindings: state.sampleFindings)
        }
    }

    func reset() {
        state.withLock { state in
            state.faults.removeAll()
            (state.faultCount, state.requestCount, state.uses) = (0, 0, [:])
        }
    }

    func answer(_ request: StubRequest) -> StubResponse {
        let (operation, findings) = validator.checked(request)
        state.withLock { state in
            state.requestCount += 1
            if let operation { state.uses[operation, default: 0] += 1 }
            guard !findings.isEmpty else { return }
            state.faultCount += 1
            state.faults.append(.init(number: state.requestCount, request: request, findings: findings))
        }
        guard let operation else { return refusal(findings, request) }
        if refusesFaults, !findings.isEmpty { return refusal(findings, request) }
        return response(operation, request)
    }

    /// The operation's response, generated once for each value of `Accept`.
    private func response(_ index: Int, _ request: StubRequest) -> StubResponse {
        let accept = request.headers[values: .accept].joined(separator: ",")
        let key = Key(operation: index, accept: accept)
        if let known = state.withLock({ $0.responses[key] }) { return known }
        let operation = validator.description.operations[index]
        let sampler = ResponseSampler(description: validator.description, operation: operation, seed: seed)
        let response = sampler.response(accept: accept.isEmpty ? nil : accept)
        let check = ResponseValidation(description: validator.description, operation: operation)
        let findings = check.findings(
            response.status.code, response.headers, response.body.whole ?? Bytes(), isHead: request.method == .head)
        state.withLock { state in
            guard state.responses[key] == nil, state.responses.count < Self.rememberedResponses else { return }
            state.responses[key] = response
            if !operation.responses.isEmpty { state.sampleFindings += findings }
        }
        return response
    }

    /// A response with the status for the first finding, and all findings as problem details (RFC 9457).
    private func refusal(_ findings: [OpenAPIFinding], _ request: StubRequest) -> StubResponse {
        let status: HTTPResponse.Status =
            switch findings.first?.kind {
            case .path: .notFound
            case .method: .methodNotAllowed
            case .requestType where findings.count == 1: .unsupportedMediaType
            default: .badRequest
            }
        let problem = ProblemDetails(
            title: "The request doesn't match the OpenAPI document", status: status.code,
            detail: findings.first.map { "\($0.part): \($0.message)" },
            extensions: ["findings": .array(findings.map(\.json))])
        var response = StubResponse(
            status: status, headers: [.contentType: "application/problem+json"], body: .json(problem))
        if case .otherMethods(let methods) = validator.description.route(request) {
            response.headers[.allow] = methods.joined(separator: ", ")
        }
        return response
    }
}

extension OpenAPIFinding {
    fileprivate var json: JSONValue {
        .object([
            "kind": .string(kind.rawValue), "part": .string(part), "instance": .string(instance),
            "schema": .string(schema), "message": .string(message),
        ])
    }
}
#endif
