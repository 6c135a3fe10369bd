/// The matching of one text with the steps of a ``Pattern``.
struct PatternRun {
    private struct Look: Hashable {
        let start: Int
        let place: Int
    }

    let steps: [Pattern.Step]
    let scalars: [Unicode.Scalar]
    private var known: [Look: Bool] = [:]
    private var budget = 20_000_000
    private var depth = 0

    init(steps: [Pattern.Step], scalars: [Unicode.Scalar]) {
        (self.steps, self.scalars) = (steps, scalars)
    }

    /// Returns whether the steps lead to a match from a position or, in a search, from any later position; nil if it
    /// takes too long.
    mutating func matches(from start: Int, step: Int, isSearch: Bool) -> Bool? {
        var current: [Int] = []
        var place = start
        while true {
            var marks = [Bool](repeating: false, count: steps.count)
            budget -= steps.count / 16
            var stack = current
            if isSearch || place == start { stack.append(step) }
            current = []
            while let next = stack.popLast() {
                guard !marks[next] else { continue }
                marks[next] = true
                budget -= 1
                guard budget > 0 else { return nil }
                switch steps[next] {
                case .match: return true
                case .scalar: current.append(next)
                case .jump(let target): stack.append(target)
                case .split(let first, let second): stack += [first, second]
                case .anchor(let anchor): if holds(anchor, at: place) { stack.append(next + 1) }
                case .look(let inner, let isNegated, let after):
                    guard let isFound = look(inner, place) else { return nil }
                    if isFound != isNegated { stack.append(after) }
                }
            }
            guard place < scalars.count, isSearch || !current.isEmpty else { return false }
            let scalar = scalars[place]
            current = current.compactMap { step in
                if case .scalar(let set) = steps[step], set.contains(scalar) { step + 1 } else { nil }
            }
            place += 1
        }
    }

    private mutating func look(_ start: Int, _ place: Int) -> Bool? {
        let look = Look(start: start, place: place)
        if let verdict = known[look] { return verdict }
        guard depth < 50 else { return nil }
        depth += 1
        let verdict = matches(from: place, step: start, isSearch: false)
        depth -= 1
        known[look] = verdict
        return verdict
    }

    private func holds(_ anchor: PatternSyntax.Anchor, at place: Int) -> Bool {
        switch anchor {
        case .start: return place == 0
        case .end: return place == scalars.count
        case .wordBoundary, .noWordBoundary:
            let before = place > 0 && ScalarSet.isWord(scalars[place - 1])
            let after = place < scalars.count && ScalarSet.isWord(scalars[place])
            return (before != after) == (anchor == .wordBoundary)
        }
    }
}
