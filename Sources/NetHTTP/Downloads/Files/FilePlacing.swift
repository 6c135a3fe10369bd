/// What happens if there is a file with the name of a complete download.
package enum FilePlacing: Sendable, Hashable {
    /// The download gets a number: `name (1).txt`.
    case number
    /// The file is replaced at once; its readers keep the old one.
    case replace
    /// The download fails with `.fileExists`.
    case fail
}
