#if Tools && Server
internal import Synchronization

/// The steps of a tour, printed one per line as they happen: observations, and comparisons with expected values.
final class Steps: Sendable {
    private let wrong = Atomic<Int>(0)

    /// True if every comparison succeeded.
    var isRight: Bool { wrong.load(ordering: .relaxed) == 0 }

    func heading(_ text: String) {
        Terminal.print(Terminal.bold(text))
    }

    /// Prints an observation.
    func saw(_ what: String, _ text: String) {
        Terminal.print("  ·      \(Text.pad(what, to: 14))\(Text.cut(text, to: 80))")
    }

    /// Prints a value and compares it with the expected one.
    func expect(_ what: String, _ expected: String, got: String) {
        let isSame = got == expected
        if !isSame { wrong.add(1, ordering: .relaxed) }
        let verdict = isSame ? Terminal.green("right") : Terminal.red("WRONG")
        Terminal.print("  \(verdict)  \(Text.pad(what, to: 14))\(Text.cut(got, to: 80))")
        if !isSame { Terminal.print("         \(Text.pad("expected", to: 14))\(Text.cut(expected, to: 80))") }
    }
}
#endif
