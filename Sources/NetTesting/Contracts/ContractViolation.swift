/// A violation of a contract by a client or a server. It is the `underlying` error of the call, and an entry in the
/// report.
public struct ContractViolation: Error, Sendable, Hashable {
    /// The kind of violation.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A request resembles an expected one, but differs from it.
        case mismatch
        /// A request resembles no expected one.
        case unexpectedRequest
        /// An expected request didn't arrive, or not often enough.
        case unusedExpectation
        /// A real response differs from the expected one.
        case responseDrift
    }

    /// The kind.
    public let kind: Kind
    /// The nearest expectation; nil if the contract has none.
    public let expectation: String?
    /// The request's method and target, with secrets hidden; nil if there was no request.
    public let request: String?
    /// The differences.
    public let differences: [ContractDifference]

    init(_ kind: Kind, _ expectation: String?, request: String?, _ differences: [ContractDifference]) {
        self.kind = kind
        self.expectation = expectation
        self.request = request
        self.differences = differences
    }
}

extension ContractViolation: CustomStringConvertible {
    /// A summary, followed by each difference on a separate line.
    public var description: String {
        let id = expectation ?? "none"
        let title =
            switch kind {
            case .mismatch: "\(request ?? "a request") is not as expectation \(id) says"
            case .unexpectedRequest:
                "\(request ?? "a request") is not in the contract"
                    + (expectation.map { "; the nearest expectation is \($0)" } ?? "; it has no expectations")
            case .unusedExpectation: "expectation \(id) was not used"
            case .responseDrift: "the response to \(request ?? "a request") is not as expectation \(id) says"
            }
        return ([title] + differences.map(\.description)).joined(separator: "\n  ")
    }
}

/// The error for a violated contract: every violation, and every unused expectation.
public struct ContractVerificationError: Error, Sendable, CustomStringConvertible {
    /// The full report.
    public let report: ContractReport

    /// Each violation with its differences.
    public var description: String {
        let count = report.violations.count
        return
            (["contract \(report.name) was not kept, \(count) violation\(count == 1 ? "" : "s")"]
            + report.violations.map(\.description)).joined(separator: "\n")
    }
}
