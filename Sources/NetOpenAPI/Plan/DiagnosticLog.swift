/// The diagnostics of all stages, without duplicates.
final class DiagnosticLog {
    private(set) var entries: [Diagnostic] = []
    private var seen: Set<Diagnostic> = []

    func add(_ diagnostic: Diagnostic) {
        if seen.insert(diagnostic).inserted { entries.append(diagnostic) }
    }

    /// Adds a warning: something isn't generated as the document describes it.
    func warn(_ message: String, at node: Node?) {
        add(Diagnostic(.warning, message, at: node?.position))
    }

    /// Adds a note about a choice the generator made.
    func note(_ message: String, at node: Node?) {
        add(Diagnostic(.note, message, at: node?.position))
    }
}
