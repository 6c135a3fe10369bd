#if Server
internal import Synchronization

/// A lock-free counter that any thread can change.
final class AtomicCounter: Sendable {
    private let number = Atomic<Int64>(0)

    var value: Int64 { number.load(ordering: .relaxed) }

    func add(_ amount: Int64) { number.wrappingAdd(amount, ordering: .relaxed) }
}

/// One counter for each case of a label, so that the number of label values is fixed.
struct CounterGroup<Case: CaseIterable & RawRepresentable<String> & Hashable & Sendable>: Sendable {
    private let counters: [Case: AtomicCounter]

    init() {
        counters = Dictionary(
            Case.allCases.map { ($0, AtomicCounter()) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(_ one: Case) -> Int64 { counters[one]?.value ?? 0 }

    func add(_ amount: Int64, to one: Case) { counters[one]?.add(amount) }
}
#endif
