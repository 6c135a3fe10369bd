#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The result of a contract: the expectations that were met, and every violation. It contains no secrets.
///
/// The report is a snapshot: an unused expectation is a violation until it is used.
public struct ContractReport: Sendable, Hashable {
    /// A request that matched an expectation.
    public struct Match: Sendable, Hashable {
        /// The expectation.
        public let expectation: String
        /// Method and target, with secrets hidden.
        public let request: String
        /// The time of the request.
        public let date: Date
    }

    /// The matches and violations so far, up to the limit.
    struct Seen: Sendable, Hashable {
        var matches: [Match] = []
        var violations: [ContractViolation] = []
        var dates: [Date] = []
        var forgotten = 0

        mutating func add(_ match: Match) {
            guard matches.count < ContractState.maximumEntries else {
                forgotten += 1
                return
            }
            matches.append(match)
        }

        mutating func add(_ violation: ContractViolation, at date: Date) {
            guard violations.count < ContractState.maximumEntries else {
                forgotten += 1
                return
            }
            violations.append(violation)
            dates.append(date)
        }
    }

    /// The contract's name.
    public let name: String
    /// The IDs of the contract's expectations, in order.
    public let expectations: [String]
    /// The requests that matched an expectation, oldest first.
    public let matches: [Match]
    /// The violations, oldest first, followed by the unused expectations.
    public let violations: [ContractViolation]
    /// The number of matches and violations that were dropped because of the limit of 10,000 each.
    public let forgotten: Int
    /// The times of the violations; unused expectations have no time.
    let dates: [Date]

    init(name: String, expectations: [String], seen: Seen, unused: [ContractViolation]) {
        self.name = name
        self.expectations = expectations
        matches = seen.matches
        violations = seen.violations + unused
        forgotten = seen.forgotten
        dates = seen.dates
    }

    /// True if every expectation was used and there was no violation.
    public var passed: Bool { violations.isEmpty }

    /// The time of the first request; nil before that.
    public var startedAt: Date? { (matches.map(\.date) + dates).min() }
}
