internal import HTTPTypes
public import NetCore
internal import Synchronization

/// A transport that checks a client against a contract, and responds according to it.
///
/// Each expectation is used once, or as often as it specifies. An unexpected request throws `.invalidRequest`
/// immediately: the message, and the ``ContractViolation`` that is its `underlying` error, list field by field how the
/// request differs from the nearest expectation. A streamed request body is read completely before it is compared.
/// Delays run on the call's clock and end with its cancellation; the call's timeouts apply.
///
/// Over a real transport, both sides are checked: an expected request is sent, and a real response that differs from
/// the expected one throws `.protocolViolation`. The response is read completely before it is returned.
///
///     let contract = try Contract(contentsOf: "Contracts/users.json")
///     let contracted = ContractTransport(contract)
///     let client = HTTPClient(baseURL: "https://api.example.com", transport: contracted)
///     try await client.send(GetUser(id: 7))
///     try contracted.verifyComplete()
///     try contracted.report.write(to: "reports/users.xml")
public final class ContractTransport: HTTPTransport, ContractChecking {
    private let verifier: ContractVerifier
    private let transport: (any HTTPTransport)?
    private let maximumBodyBytes: Int
    private let isShutDown = Atomic(false)

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - contract: The contract.
    ///   - transport: The transport that sends the requests to a real server, to check its responses. Default nil: the
    ///     contract responds.
    ///   - latency: The delay of the contract's responses. Default none.
    ///   - redaction: The policy that hides secrets in reports and errors. Default ``RedactionPolicy/safeDefault``.
    ///   - maximumBodyBytes: The maximum size of a real response's body; a larger one throws `.bodyTooLarge`. Default
    ///     16 MiB.
    public init(
        _ contract: Contract, over transport: (any HTTPTransport)? = nil, latency: ContractLatency = .none,
        redaction: RedactionPolicy = .safeDefault, maximumBodyBytes: Int = 16 << 20
    ) {
        verifier = ContractVerifier(contract, latency: latency, redaction: redaction)
        self.transport = transport
        self.maximumBodyBytes = maximumBodyBytes
    }

    public var report: ContractReport { verifier.report }

    public func reset() { verifier.reset() }

    public func execute(
        _ request: PreparedRequest, context: CallContext
    ) async throws(NetError) -> StreamedResponse {
        if isShutDown.load(ordering: .relaxed) {
            throw context.error(.shutdown, phase: .preparing, message: "the transport was shut down")
        }
        if Task.isCancelled { throw context.error(.cancelled, phase: .preparing, message: "the task was cancelled") }
        let (request, stub) = try await request.collected(context)
        let expectation: Contract.Expectation
        do {
            expectation = try verifier.take(stub, request.options.metadata, on: context.environment.clock)
        } catch {
            throw context.error(.invalidRequest, phase: .preparing, message: error.description, underlying: error)
        }
        guard let transport else { return try await answer(request, expectation, context) }
        let text = verifier.state.withLock { $0.text.request(stub) }
        return try await check(request, expectation, text, context, over: transport)
    }

    public var contentCodings: [String] { transport?.contentCodings ?? [] }

    public var connectionIdentity: (any IdentitySource)? { transport?.connectionIdentity }

    /// Shuts down the real transport; later calls throw `.shutdown`.
    public func shutdown() async {
        isShutDown.store(true, ordering: .relaxed)
        await transport?.shutdown()
    }

    private func answer(
        _ request: PreparedRequest, _ expectation: Contract.Expectation, _ context: CallContext
    ) async throws(NetError) -> StreamedResponse {
        let pause = verifier.nextPause()
        let mock = MockTransport { _, context in
            switch expectation.outcome {
            case .response(let response): return response.stubResponse.delayed(by: pause)
            case .failure(let failure):
                try await context.environment.clock.sleep(for: pause)
                throw context.error(failure.code, phase: .waiting, message: failure.shown)
            }
        }
        return try await mock.execute(request, context: context)
    }

    // MARK: Checking the server

    private func check(
        _ request: PreparedRequest, _ expectation: Contract.Expectation, _ text: String, _ context: CallContext,
        over transport: any HTTPTransport
    ) async throws(NetError) -> StreamedResponse {
        let response: StreamedResponse
        let body: Bytes
        do {
            response = try await transport.execute(request, context: context)
            body = try await response.body.collect(upTo: maximumBodyBytes)
        } catch {
            if !error.isCancellation { try expect(error, expectation, text, context) }
            throw error
        }
        let differences = differences(expectation, response.head, body)
        guard differences.isEmpty else {
            throw drift(ContractViolation(.responseDrift, expectation.id, request: text, differences), context)
        }
        return StreamedResponse(
            head: response.head,
            body: ResponseBody(body, metrics: response.body.metrics, trailers: response.body.trailers))
    }

    /// Throws if the failure isn't the expected one.
    private func expect(
        _ error: NetError, _ expectation: Contract.Expectation, _ text: String, _ context: CallContext
    ) throws(NetError) {
        let expected = expectation.outcome.summary
        guard expected != "failure \(error.code)" else { return }
        let difference = ContractDifference("outcome", expected: expected, actual: "failure \(error.code)")
        throw drift(
            ContractViolation(.responseDrift, expectation.id, request: text, [difference]), context, code: error.code)
    }

    private func differences(
        _ expectation: Contract.Expectation, _ head: ResponseHead, _ body: Bytes
    ) -> [ContractDifference] {
        guard case .response(let expected) = expectation.outcome else {
            let actual = "status \(head.status.code)"
            return [ContractDifference("outcome", expected: expectation.outcome.summary, actual: actual)]
        }
        let (text, wildcard) = verifier.state.withLock { ($0.text, $0.contract.wildcard) }
        return ResponseComparison(expected: expected, wildcard: wildcard, text: text).differences(head, body)
    }

    private func drift(
        _ violation: ContractViolation, _ context: CallContext, code: NetError.Code = .protocolViolation
    ) -> NetError {
        let date = context.environment.clock.date()
        verifier.state.withLock { $0.add(violation, at: date) }
        return context.error(code, phase: .validating, message: violation.description, underlying: violation)
    }
}

extension PreparedRequest {
    /// The request with its body read completely, since a stream can be read only once, and the form of it that a
    /// contract compares.
    fileprivate func collected(_ context: CallContext) async throws(NetError) -> (PreparedRequest, StubRequest) {
        var request = self
        if case .stream(_, _, let make) = body {
            do {
                request.body = .bytes(try await ResponseBody(source: make()).collect(upTo: .max))
            } catch {
                if let error = NetError(error) {
                    throw error.filling(call: context.summary, elapsed: context.elapsed)
                }
                throw context.error(
                    .encoding, phase: .sending,
                    message: "the body's stream cannot be made: \(ErrorSummary.describe(error))", underlying: error)
            }
        }
        return (request, StubRequest(request))
    }
}

extension StubRequest {
    /// A prepared request as a server would receive it; omits a streamed body.
    init(_ request: PreparedRequest) {
        self.init(
            method: request.head.method, target: request.head.path ?? "/", authority: request.head.authority ?? "",
            headers: request.head.headerFields)
        redaction = redaction.joined(with: request.options.redaction)
        if case .bytes(let bytes) = request.body { body = bytes }
    }
}
