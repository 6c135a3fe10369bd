/// Collects what the stages have to say, each sentence once for a place.
final class DiagnosticLog {
    private(set) var entries: [Diagnostic] = []
    private var seen: Set<Diagnostic> = []

    func add(_ diagnostic: Diagnostic) {
        if seen.insert(diagnostic).inserted { entries.append(diagnostic) }
    }

    /// Something is not generated as the document says.
    func warn(_ message: String, at node: Node?) {
        add(Diagnostic(.warning, message, at: node?.position))
    }

    /// A choice that was made.
    func note(_ message: String, at node: Node?) {
        add(Diagnostic(.note, message, at: node?.position))
    }
}
