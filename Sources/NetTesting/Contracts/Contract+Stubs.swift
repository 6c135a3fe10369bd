internal import HTTPTypes
public import NetCore

extension Contract {
    /// The contract as stubs, to combine with others: in memory or on a test server.
    ///
    /// The stubs check the same rules as the expectations, including strictness and order, and have the same number of
    /// uses. Metadata isn't checked. A failure becomes the matching ``Fault`` if there is one; otherwise the stub
    /// throws it. A request that no stub matches is shown as a ``StubMiss`` shows it: without the values that
    /// ``RedactionPolicy/safeDefault`` hides.
    ///
    ///     let contract = try Contract(contentsOf: "Contracts/users.json")
    ///     let transport = MockTransport(contract.stubs() + [Stub(.get, "/health", .text("fine"))])
    public func stubs(
        latency: ContractLatency = .none, redaction: RedactionPolicy = .safeDefault, fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> [Stub] {
        let text = ContractText(policy: redaction)
        let stubs = expectations.map { expectation in
            let comparison = RequestComparison(
                expectation: expectation, wildcard: wildcard, isStrict: isStrict, text: text)
            var stub = Stub(expectation.method, expectation.path ?? "*", fileID: fileID, line: line) { _ in
                try expectation.outcome.stubResponse().delayed(by: latency.next())
            }
            // Everything is checked by one matcher, so that explanations hide the policy's secrets.
            stub.body = BodyMatcher("what expectation \(expectation.id) expects") { request in
                comparison.differences(request, nil).map(\.description)
            }
            return stub.times(expectation.times)
        }
        return isOrdered ? Stub.inOrder("contract \(name)", stubs) : stubs
    }
}

extension MockTransport {
    /// Creates a transport that responds with the stubs of a contract.
    public convenience init(
        contract: Contract, latency: ContractLatency = .none, redaction: RedactionPolicy = .safeDefault,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(contract.stubs(latency: latency, redaction: redaction, fileID: fileID, line: line))
    }
}

extension Contract.Outcome {
    /// A short text for comparisons.
    var summary: String {
        switch self {
        case .response(let response): "status \(response.status.code)"
        case .failure(let failure): "failure \(failure.code)"
        }
    }

    /// The response of a stub; throws a failure that has no matching fault.
    package func stubResponse() throws(NetError) -> StubResponse {
        switch self {
        case .response(let response): return response.stubResponse
        case .failure(let failure):
            if let fault = failure.fault { return StubResponse(fault: fault) }
            throw NetError(failure.code, phase: .waiting, message: failure.shown)
        }
    }
}

extension Contract.Response {
    package var stubResponse: StubResponse {
        StubResponse(status: status, headers: headers, body: .bytes(body))
    }
}

extension Contract.Failure {
    /// The fault that causes this failure in a client; nil if there is none.
    package var fault: Fault? {
        switch code {
        case .dns: .unknownHost
        case .connect: .refused
        case .tls: .tls(.selfSigned)
        // If the connection ended before the first byte, a client could retry the request on another connection.
        case .connectionLost: .drop(ConnectionDrop(.insideHead, form: .reset))
        case .timeout: .drop(ConnectionDrop(.beforeHead, form: .stall))
        case .protocolViolation: .contentLength(.malformed)
        default: nil
        }
    }

    var shown: String { message.isEmpty ? "the contract expects this failure" : "\(message) (in the contract)" }
}
