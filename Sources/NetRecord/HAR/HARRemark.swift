/// A part of a HAR file that was skipped, or that was read by a guess.
package struct HARRemark: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The entry isn't read.
        case skippedEntry
        /// A part of the entry isn't read.
        case skipped
        /// A value was read although it isn't in the form of HAR 1.2.
        case guessed
    }

    package var kind: Kind
    /// The reason, without values of the file; equal for equal reasons.
    package var reason: String
    /// The place, such as `log.entries[3].response`.
    package var place: String
    /// The line; 0 if it isn't known.
    package var line: Int
}

/// The remarks about one file: all are counted, and the first ones are kept.
package struct HARRemarks: Sendable, Hashable {
    /// The maximum number of remarks that are kept.
    package static let limit = 1000

    package private(set) var kept: [HARRemark] = []
    /// The number of remarks, by their kind and reason.
    package private(set) var counts: [HARRemark.Kind: [String: Int]] = [:]

    package init() {}

    package var isEmpty: Bool { counts.isEmpty }

    package mutating func add(_ remark: HARRemark) {
        counts[remark.kind, default: [:]][remark.reason, default: 0] += 1
        if kept.count < Self.limit { kept.append(remark) }
    }

    package func count(_ kind: HARRemark.Kind) -> Int { counts[kind]?.values.reduce(0, +) ?? 0 }
}
