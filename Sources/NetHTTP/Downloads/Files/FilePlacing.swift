/// The behavior if a file with the name of a complete download exists.
package enum FilePlacing: Sendable, Hashable {
    /// The download gets a number: `name (1).txt`.
    case number
    /// The file is replaced atomically; processes that have it open keep the old one.
    case replace
    /// The download fails with `.fileExists`.
    case fail
}
