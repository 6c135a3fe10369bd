internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The user's folders, according to the XDG user directories on Linux.
enum UserFolders {
    /// The folder for downloads.
    static var downloads: String {
        let environment = ProcessInfo.processInfo.environment
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        return "\(URL.homeDirectory.path)/Documents/Downloads"
        #else
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? URL.homeDirectory.path
        let settings = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/.config"
        let file = try? PrivateFile.contents(of: "\(settings)/user-dirs.dirs", upTo: 64 << 10)
        return downloads(
            variable: environment["XDG_DOWNLOAD_DIR"], file: file.map { String(decoding: $0, as: UTF8.self) } ?? "",
            home: home)
        #endif
    }

    /// Returns the folder from the environment variable, or from the file `user-dirs.dirs`, or else `Downloads` in
    /// the home folder. A path that isn't absolute is ignored.
    static func downloads(variable: String?, file: String, home: String) -> String {
        if let path = variable.flatMap({ absolute($0, home) }) { return path }
        for line in file.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ $0 != " " }) == "XDG_DOWNLOAD_DIR" else { continue }
            let value = parts[1].drop { $0 == " " }
            // A shell would use the last assignment, but there is only one.
            if value.first == "\"", let end = value.dropFirst().firstIndex(of: "\"") {
                if let path = absolute(String(value[value.index(after: value.startIndex)..<end]), home) { return path }
            }
        }
        return "\(home)/Downloads"
    }

    private static func absolute(_ text: String, _ home: String) -> String? {
        var path = text
        for prefix in ["$HOME", "${HOME}"] where path == prefix || path.hasPrefix(prefix + "/") {
            path = home + path.dropFirst(prefix.count)
        }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path.hasPrefix("/") ? path : nil
    }
}
