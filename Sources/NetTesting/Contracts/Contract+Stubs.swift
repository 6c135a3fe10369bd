internal import HTTPTypes
public import NetCore

extension Contract {
    /// The contract as stubs, to mix with others: in memory or on a test server.
    ///
    /// They match what the expectations ask, also strictly and in order, and are used up like them. Metadata is not
    /// asked. A failure is the matching ``Fault`` where there is one; else the stub throws it. Where no stub answers, the
    /// request is shown as ``StubMiss`` shows it: without what ``RedactionPolicy/safeDefault`` hides.
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
            // All is asked in one place, so that an explanation hides what the policy hides.
            stub.body = BodyMatcher("what expectation \(expectation.id) asks") { request in
                comparison.differences(request, nil).map(\.description)
            }
            return stub.times(expectation.times)
        }
        return isOrdered ? Stub.inOrder("contract \(name)", stubs) : stubs
    }
}

extension MockTransport {
    /// Answers with the stubs of a contract.
    public convenience init(
        contract: Contract, latency: ContractLatency = .none, redaction: RedactionPolicy = .safeDefault,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(contract.stubs(latency: latency, redaction: redaction, fileID: fileID, line: line))
    }
}

extension Contract.Outcome {
    /// In a few words, to compare.
    var summary: String {
        switch self {
        case .response(let response): "status \(response.status.code)"
        case .failure(let failure): "failure \(failure.code)"
        }
    }

    /// What a stub answers; throws a failure that no fault is like.
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
    /// The fault that a client sees as this failure; nil where there is none.
    package var fault: Fault? {
        switch code {
        case .dns: .unknownHost
        case .connect: .refused
        case .tls: .tls(.selfSigned)
        // Before the first byte, a client may send the request again on another connection.
        case .connectionLost: .drop(ConnectionDrop(.insideHead, form: .reset))
        case .timeout: .drop(ConnectionDrop(.beforeHead, form: .stall))
        case .protocolViolation: .contentLength(.malformed)
        default: nil
        }
    }

    var shown: String { message.isEmpty ? "the contract expects this failure" : "\(message) (in the contract)" }
}
