package import NetCore
internal import Synchronization

/// What a ``ContractTransport`` and a contract's server tell about the contract they hold a client to.
public protocol ContractChecking: Sendable {
    /// What became of the contract so far.
    var report: ContractReport { get }
    /// Forgets what was seen: every expectation can be used again.
    func reset()
}

extension ContractChecking {
    /// Throws when anything was not as the contract says, or an expectation was not used: the error names each.
    public func verifyComplete() throws(ContractNotKept) {
        let report = report
        if !report.passed { throw ContractNotKept(report: report) }
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

    /// The expectation that the request uses.
    package func take(
        _ request: StubRequest, _ metadata: RequestMetadata?, on clock: NetClock
    ) throws(ContractViolation) -> Contract.Expectation {
        let date = clock.date()
        return try state.withLock { $0.take(request, metadata, at: date) }.get()
    }

    /// The pause before the next answer.
    package func nextPause() -> Duration { latency.next() }
}
