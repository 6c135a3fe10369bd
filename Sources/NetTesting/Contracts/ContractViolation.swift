/// Where client or server leave a contract. It is the `underlying` error of the call, and an entry of the report.
public struct ContractViolation: Error, Sendable, Hashable {
    /// What kind of violation.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A request is like an expected one, but not the same.
        case mismatch
        /// A request is like none that is expected.
        case unexpectedRequest
        /// An expected request did not come, or not often enough.
        case unusedExpectation
        /// A real response is not the expected one.
        case responseDrift
    }

    /// The kind.
    public let kind: Kind
    /// The nearest expectation; nil where there is none at all.
    public let expectation: String?
    /// Method and target of the request, secrets hidden; nil where none came.
    public let request: String?
    /// What differs, place by place.
    public let differences: [ContractDifference]

    init(_ kind: Kind, _ expectation: String?, request: String?, _ differences: [ContractDifference]) {
        self.kind = kind
        self.expectation = expectation
        self.request = request
        self.differences = differences
    }
}

extension ContractViolation: CustomStringConvertible {
    /// What happened, then each difference on a line.
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

/// A contract that was not kept: every violation, and every expectation that was not used.
public struct ContractNotKept: Error, Sendable, CustomStringConvertible {
    /// The whole report.
    public let report: ContractReport

    /// Each violation with its differences.
    public var description: String {
        let count = report.violations.count
        return
            (["contract \(report.name) was not kept, \(count) violation\(count == 1 ? "" : "s")"]
            + report.violations.map(\.description)).joined(separator: "\n")
    }
}
