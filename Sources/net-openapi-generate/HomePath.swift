#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Paths that begin with `~`, which a shell leaves alone behind `=` and in configuration files.
enum HomePath {
    /// Returns the path with the home folder in place of a leading `~`; any other path as it is.
    static func expanded(_ path: String) -> String {
        guard isInHome(path), let home = ProcessInfo.processInfo.environment["HOME"], !home.isEmpty else { return path }
        return home + path.dropFirst()
    }

    /// True for `~` and for what is below it.
    static func isInHome(_ path: String) -> Bool { path == "~" || path.hasPrefix("~/") }
}
