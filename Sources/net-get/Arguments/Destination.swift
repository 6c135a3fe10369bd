#if Tools
internal import Foundation

/// The destination of the files: a folder, and the name of the file if `--output` names one.
struct Destination: Sendable, Equatable {
    var folder: String
    var name: String?

    init(folder: String, name: String?) {
        (self.folder, self.name) = (folder, name)
    }

    /// Creates a destination. `output` is a folder if it exists as one or ends with a slash, or if there are several
    /// files; otherwise, it's the path of the file. Nil means the working directory.
    init(output: String?, fileCount: Int, isFolder: (String) -> Bool = Destination.isFolder) {
        guard let output, !output.isEmpty else {
            (folder, name) = (".", nil)
            return
        }
        guard !output.hasSuffix("/"), fileCount == 1, !isFolder(output) else {
            let end = output.lastIndex { $0 != "/" }
            (folder, name) = (end.map { String(output[...$0]) } ?? "/", nil)
            return
        }
        let parts = output.split(separator: "/", omittingEmptySubsequences: false)
        let parent = parts.dropLast().joined(separator: "/")
        name = parts.last.map(String.init)
        folder = parts.count == 1 ? "." : parent.isEmpty ? "/" : parent
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
#endif
