/// A regular expression that is matched in time proportional to its own size and the text's size, for any expression
/// and text: all alternatives are followed in parallel, without backtracking.
package struct Pattern: Sendable {
    enum Step: Sendable {
        case scalar(ScalarSet)
        case split(Int, Int)
        case jump(Int)
        case anchor(PatternSyntax.Anchor)
        /// Continues if the steps from `start` match at this position or, if negated, if they don't.
        case look(start: Int, isNegated: Bool, next: Int)
        case match
    }

    /// The maximum number of steps, with repetitions expanded; larger expressions can't be read.
    package static let maximumSteps = 20_000

    package let syntax: PatternSyntax
    private(set) var steps: [Step] = []

    /// Reads an expression; nil if it is invalid, too large, or uses features that can't be matched this way.
    package init?(_ text: String) {
        guard let syntax = PatternParser.parse(text) else { return nil }
        self.syntax = syntax
        guard add(syntax) else { return nil }
        steps.append(.match)
    }

    private mutating func add(_ syntax: PatternSyntax) -> Bool {
        guard steps.count < Self.maximumSteps else { return false }
        switch syntax {
        case .empty: return true
        case .scalar(let set): steps.append(.scalar(set))
        case .anchor(let anchor): steps.append(.anchor(anchor))
        case .sequence(let parts): return parts.allSatisfy { add($0) }
        case .choice(let kinds): return addChoice(kinds)
        case .repeated(let inner, let minimum, let maximum): return addRepeated(inner, minimum, maximum)
        case .lookahead(let inner, let isNegated):
            let place = steps.count
            steps.append(.match)
            guard add(inner) else { return false }
            steps.append(.match)
            steps[place] = .look(start: place + 1, isNegated: isNegated, next: steps.count)
        }
        return true
    }

    private mutating func addChoice(_ kinds: [PatternSyntax]) -> Bool {
        var ends: [Int] = []
        for (place, kind) in kinds.enumerated() {
            let split = steps.count
            let isLast = place == kinds.count - 1
            if !isLast { steps.append(.match) }
            guard add(kind) else { return false }
            if !isLast {
                ends.append(steps.count)
                steps.append(.match)
                steps[split] = .split(split + 1, steps.count)
            }
        }
        for end in ends { steps[end] = .jump(steps.count) }
        return true
    }

    private mutating func addRepeated(_ inner: PatternSyntax, _ minimum: Int, _ maximum: Int?) -> Bool {
        guard minimum <= Self.maximumSteps, maximum ?? 0 <= Self.maximumSteps
        else { return false }
        for _ in 0..<minimum {
            guard add(inner) else { return false }
        }
        guard let maximum else {
            let split = steps.count
            steps.append(.match)
            guard add(inner) else { return false }
            steps.append(.jump(split))
            steps[split] = .split(split + 1, steps.count)
            return true
        }
        var splits: [Int] = []
        for _ in minimum..<max(minimum, maximum) {
            splits.append(steps.count)
            steps.append(.match)
            guard add(inner) else { return false }
        }
        for split in splits { steps[split] = .split(split + 1, steps.count) }
        return true
    }

    /// Returns whether the expression matches anywhere in the text; nil if the search takes too long.
    package func matches(_ text: String) -> Bool? {
        var run = PatternRun(steps: steps, scalars: Array(text.unicodeScalars))
        return run.matches(from: 0, step: 0, isSearch: true)
    }
}
