internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The use of a contract so far: decides which expectation a request matches, and keeps the results. A pure value.
struct ContractState: Sendable {
    /// The maximum number of matches, and of violations, that are kept; more are only counted.
    static let maximumEntries = 10_000

    let contract: Contract
    let text: ContractText
    private let comparisons: [RequestComparison]
    private var uses: [Int]
    private var seen = ContractReport.Seen()

    init(_ contract: Contract, redaction: RedactionPolicy) {
        self.contract = contract
        text = ContractText(policy: redaction)
        comparisons = contract.expectations.map { [text] expectation in
            RequestComparison(
                expectation: expectation, wildcard: contract.wildcard, isStrict: contract.isStrict, text: text)
        }
        uses = contract.expectations.map { _ in 0 }
    }

    mutating func reset() {
        uses = uses.map { _ in 0 }
        seen = ContractReport.Seen()
    }

    /// The expectation that the request uses, or the violation, which is recorded.
    mutating func take(
        _ request: StubRequest, _ metadata: RequestMetadata?, at date: Date
    ) -> Result<Contract.Expectation, ContractViolation> {
        let left = uses.indices.filter { uses[$0] < contract.expectations[$0].times }
        for index in contract.isOrdered ? left.prefix(1) : left[...]
        where comparisons[index].differences(request, metadata).isEmpty {
            uses[index] += 1
            seen.add(.init(expectation: contract.expectations[index].id, request: text.request(request), date: date))
            return .success(contract.expectations[index])
        }
        let violation = contract.isOrdered ? outOfOrder(request, metadata, left.first) : miss(request, metadata, left)
        add(violation, at: date)
        return .failure(violation)
    }

    mutating func add(_ violation: ContractViolation, at date: Date) {
        seen.add(violation, at: date)
    }

    var report: ContractReport {
        let unused = uses.indices.compactMap { index -> ContractViolation? in
            let expectation = contract.expectations[index]
            guard uses[index] < expectation.times else { return nil }
            let differences = [
                ContractDifference("uses", expected: "\(expectation.times)", actual: "\(uses[index])")
            ]
            return ContractViolation(.unusedExpectation, expectation.id, request: nil, differences)
        }
        return ContractReport(
            name: contract.name, expectations: contract.expectations.map(\.id), seen: seen, unused: unused)
    }

    // MARK: Explaining

    private func outOfOrder(
        _ request: StubRequest, _ metadata: RequestMetadata?, _ next: Int?
    ) -> ContractViolation {
        guard let next else { return miss(request, metadata, []) }
        // An expected request that arrives too early differs only in its order.
        let known = comparisons.indices.first { comparisons[$0].differences(request, metadata).isEmpty }
        let id = contract.expectations[next].id
        if let known {
            let actual = contract.expectations[known].id
            return ContractViolation(
                .mismatch, id, request: text.request(request),
                [ContractDifference("order", expected: id, actual: actual)])
        }
        return violation(request, next, comparisons[next].differences(request, metadata))
    }

    /// Compares the request with the remaining expectations, and with a used-up one if only that one matches.
    private func miss(
        _ request: StubRequest, _ metadata: RequestMetadata?, _ left: [Int]
    ) -> ContractViolation {
        let usedUp = uses.indices.first {
            !left.contains($0) && comparisons[$0].differences(request, metadata).isEmpty
        }
        if let usedUp {
            let times = contract.expectations[usedUp].times
            return ContractViolation(
                .unexpectedRequest, contract.expectations[usedUp].id, request: text.request(request),
                [ContractDifference("uses", expected: "\(times)", actual: "\(times + 1)")])
        }
        let ranked = (left.isEmpty ? Array(uses.indices) : left).map { index in
            let differences = comparisons[index].differences(request, metadata)
            return (index: index, differences, distance: comparisons[index].distance(request, differences))
        }
        guard let nearest = ranked.min(by: { ($0.distance, $0.index) < ($1.distance, $1.index) }) else {
            return ContractViolation(.unexpectedRequest, nil, request: text.request(request), [])
        }
        return violation(request, nearest.index, nearest.1)
    }

    private func violation(
        _ request: StubRequest, _ index: Int, _ differences: [ContractDifference]
    ) -> ContractViolation {
        let fields = Set(differences.map(\.field))
        let likeness = comparisons[index].expectation.path?.likeness(to: request.path) ?? 1
        let isAlike = !fields.contains("path") || !fields.contains("method") && likeness > 0
        return ContractViolation(
            isAlike ? .mismatch : .unexpectedRequest, contract.expectations[index].id, request: text.request(request),
            differences)
    }
}
