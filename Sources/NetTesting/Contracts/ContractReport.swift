#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What became of a contract: which expectations were met, and every violation. It holds no secrets.
///
/// It is a picture of the moment: an expectation that was not used yet is a violation until it is.
public struct ContractReport: Sendable, Hashable {
    /// A request that was as expected.
    public struct Match: Sendable, Hashable {
        /// The expectation.
        public let expectation: String
        /// Method and target, secrets hidden.
        public let request: String
        /// When it came.
        public let date: Date
    }

    /// What was seen so far, as far as the limit allows.
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
    /// The ids of its expectations in their order.
    public let expectations: [String]
    /// The requests that were as expected, oldest first.
    public let matches: [Match]
    /// What was not as the contract says, oldest first, then the expectations that were not used.
    public let violations: [ContractViolation]
    /// How many matches and violations were only counted because of the limit of 10,000 each.
    public let forgotten: Int
    /// When the violations happened; the expectations that were not used have none.
    let dates: [Date]

    init(name: String, expectations: [String], seen: Seen, unused: [ContractViolation]) {
        self.name = name
        self.expectations = expectations
        matches = seen.matches
        violations = seen.violations + unused
        forgotten = seen.forgotten
        dates = seen.dates
    }

    /// Whether every expectation was used and nothing else happened.
    public var passed: Bool { violations.isEmpty }

    /// When the first request came; nil before.
    public var startedAt: Date? { (matches.map(\.date) + dates).min() }
}
