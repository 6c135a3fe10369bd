internal import NetCore

/// The statuses that a request accepts, in an outbox's storage format: `200-299,304`.
struct AcceptedStatuses: Sendable, Hashable {
    /// The ranges in ascending order.
    private(set) var ranges: [ClosedRange<Int>]

    /// Evaluates a validation for every possible status.
    init(_ validation: StatusValidation) {
        ranges = []
        for status in 100...999 where validation.isAcceptable(status) {
            if let last = ranges.last, last.upperBound == status - 1 {
                ranges[ranges.count - 1] = last.lowerBound...status
            } else {
                ranges.append(status...status)
            }
        }
    }

    /// Parses the text; nil if it's invalid.
    init?(text: String) {
        ranges = []
        for part in text.split(separator: ",") {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last else {
                return nil
            }
            ranges.append(first...last)
        }
    }

    var text: String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    func contains(_ status: Int) -> Bool { ranges.contains { $0.contains(status) } }
}
