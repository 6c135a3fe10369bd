internal import NetCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension ActivityStore {
    /// Returns the path of the default store: `swift-net/activity.sqlite` in `$XDG_STATE_HOME`, or in `~/.local/state`
    /// if that variable isn't set to an absolute path. `net-activity` uses the same path.
    ///
    /// - Parameters:
    ///   - environment: The environment variables. Default: those of the process.
    ///   - makesFolder: True to create the folder, accessible only to its owner, if it's missing. Default true.
    ///
    /// Throws `invalidPath` if neither `XDG_STATE_HOME` nor `HOME` is set, and the file system's error if the folder
    /// can't be created.
    public static func defaultPath(
        environment: [String: String] = ProcessInfo.processInfo.environment, makesFolder: Bool = true
    ) throws(StoreError) -> String {
        let base: String
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            base = state
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            base = home + "/.local/state"
        } else {
            throw StoreError(.invalidPath, message: "neither XDG_STATE_HOME nor HOME is set. Name a file", path: "")
        }
        let folder = base + "/swift-net"
        if makesFolder { try make(folder) }
        return folder + "/activity.sqlite"
    }

    /// Creates a folder and its missing parents.
    private static func make(_ folder: String) throws(StoreError) {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            if mkdir(path, 0o700) != 0, errno != EEXIST {
                let error = errno
                // A parent folder, such as the root, may exist without being writable.
                var information = stat()
                guard stat(path, &information) == 0 else {
                    throw StoreError(systemError: error, path: path, doing: "make the folder")
                }
            }
        }
    }
}
