#if Tools
internal import Foundation

/// Where the files go: a folder, and the name of the file if `--output` names one.
struct Destination: Sendable, Equatable {
    var folder: String
    var name: String?

    init(folder: String, name: String?) {
        (self.folder, self.name) = (folder, name)
    }

    /// `output` is a folder if it is one or ends with a slash, and if there are several files; else the path of the file. nil
    /// is the working folder.
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
