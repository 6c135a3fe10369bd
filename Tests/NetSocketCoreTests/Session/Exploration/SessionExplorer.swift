import NetCore

@testable import NetSocketCore

/// Visits the states of a session machine breadth-first, each once.
struct SessionExplorer {
    /// The number of new states at each depth, the first state at 0.
    private(set) var counts: [Int] = []
    private(set) var transitions = 0
    /// The steps to the first state that violates a rule, and the rules; nil if there is none.
    private(set) var fault: String?

    private let alphabet: [SessionStep]
    private var parents: [UInt32] = []
    private var steps: [UInt16] = []
    private var seen: Set<SIMD2<UInt64>> = []

    init(_ alphabet: [SessionStep]) {
        self.alphabet = alphabet
    }

    /// Explores all states within `depth` events, as long as there are no more than `maximumStates` of them.
    mutating func explore(from start: SessionWorld, depth: Int, maximumStates: Int = .max) {
        var frontier: [(world: SessionWorld, number: UInt32)] = [(start, 0)]
        (parents, steps, seen, counts) = ([0], [0], [SessionForm(start).key], [1])
        for level in 1...depth {
            var next: [(world: SessionWorld, number: UInt32)] = []
            var count = 0
            for (world, number) in frontier {
                for (index, step) in alphabet.enumerated() {
                    var successor = world
                    guard successor.perform(step) else { continue }
                    transitions += 1
                    if !successor.faults.isEmpty {
                        fault =
                            (path(to: number) + [step]).map { "\($0)" }.joined(separator: ", ")
                            + ": \(successor.faults)"
                        return
                    }
                    guard seen.insert(SessionForm(successor).key).inserted else { continue }
                    count += 1
                    parents.append(number)
                    steps.append(UInt16(index))
                    // The states of the last level are counted and checked, but not kept.
                    if level < depth { next.append((successor, UInt32(parents.count - 1))) }
                    if parents.count >= maximumStates { return counts.append(count) }
                }
            }
            counts.append(count)
            frontier = next
        }
    }

    private func path(to number: UInt32) -> [SessionStep] {
        var (path, number): ([SessionStep], UInt32) = ([], number)
        while number != 0 {
            path.append(alphabet[Int(steps[Int(number)])])
            number = parents[Int(number)]
        }
        return path.reversed()
    }
}
