#if Tools && Server
internal import Synchronization

/// The steps of a tour, a line each as they happen: what was seen, and whether what had to come came.
final class Steps: Sendable {
    private let wrong = Atomic<Int>(0)

    /// Whether everything that had to come has come.
    var isRight: Bool { wrong.load(ordering: .relaxed) == 0 }

    func heading(_ text: String) {
        Terminal.print(Terminal.bold(text))
    }

    /// Prints something that happens.
    func saw(_ what: String, _ text: String) {
        Terminal.print("  ·      \(Text.pad(what, to: 14))\(Text.cut(text, to: 80))")
    }

    /// Prints what came, and compares it with what had to come.
    func expect(_ what: String, _ expected: String, got: String) {
        let isSame = got == expected
        if !isSame { wrong.add(1, ordering: .relaxed) }
        let verdict = isSame ? Terminal.green("right") : Terminal.red("WRONG")
        Terminal.print("  \(verdict)  \(Text.pad(what, to: 14))\(Text.cut(got, to: 80))")
        if !isSame { Terminal.print("         \(Text.pad("expected", to: 14))\(Text.cut(expected, to: 80))") }
    }
}
#endif
