#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Paths that begin with `~`, which a shell doesn't expand after `=` and in configuration files.
enum HomePath {
    /// Returns the path with a leading `~` replaced by the home folder; any other path unchanged.
    static func expanded(_ path: String) -> String {
        guard isInHome(path), let home = ProcessInfo.processInfo.environment["HOME"], !home.isEmpty else { return path }
        return home + path.dropFirst()
    }

    /// Returns true for `~` and for paths below it.
    static func isInHome(_ path: String) -> Bool { path == "~" || path.hasPrefix("~/") }
}
