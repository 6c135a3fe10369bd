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
    /// Returns the place of a store for which no other was chosen: `swift-net/activity.sqlite` in `$XDG_STATE_HOME`, or in
    /// `~/.local/state` if that isn't set to an absolute path. `net-activity` looks there.
    ///
    /// - Parameters:
    ///   - environment: The variables of the environment. Default the process's.
    ///   - makesFolder: Whether to make the folder, for its owner only, if it's missing. Default true.
    ///
    /// Throws `invalidPath` if neither variable is set, and the error of the file system if the folder can't be made.
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

    /// Makes a folder and those above it.
    private static func make(_ folder: String) throws(StoreError) {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            if mkdir(path, 0o700) != 0, errno != EEXIST {
                let error = errno
                // A folder above may exist and not be writable, such as the root.
                var information = stat()
                guard stat(path, &information) == 0 else {
                    throw StoreError(systemError: error, path: path, doing: "make the folder")
                }
            }
        }
    }
}
