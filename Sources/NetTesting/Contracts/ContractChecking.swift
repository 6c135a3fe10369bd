package import NetCore
internal import Synchronization

/// The verification of a contract by a ``ContractTransport`` or a contract server.
public protocol ContractChecking: Sendable {
    /// The state of the contract so far.
    var report: ContractReport { get }
    /// Forgets all requests: every expectation can be used again.
    func reset()
}

extension ContractChecking {
    /// Throws if there was any violation, or if an expectation wasn't used; the error names each one.
    public func verifyComplete() throws(ContractVerificationError) {
        let report = report
        if !report.passed { throw ContractVerificationError(report: report) }
    }
}

/// A contract in use, shared by the calls of a transport or the connections of a server.
package final class ContractVerifier: ContractChecking {
    let state: Mutex<ContractState>
    private let latency: ContractLatency

    package init(_ contract: Contract, latency: ContractLatency, redaction: RedactionPolicy) {
        state = Mutex(ContractState(contract, redaction: redaction))
        self.latency = latency
    }

    package var report: ContractReport { state.withLock { $0.report } }

    package func reset() { state.withLock { $0.reset() } }

    /// Returns the expectation that the request uses.
    package func take(
        _ request: StubRequest, _ metadata: RequestMetadata?, on clock: NetClock
    ) throws(ContractViolation) -> Contract.Expectation {
        let date = clock.date()
        return try state.withLock { $0.take(request, metadata, at: date) }.get()
    }

    /// The delay of the next response.
    package func nextPause() -> Duration { latency.next() }
}
