#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The folder above a document's own: files that several documents share often lie beside their folders.
enum FolderAbove {
    /// Nil for a document that is not there, or that lies at the top of the file system.
    static func of(_ document: String) -> String? {
        guard FileManager.default.fileExists(atPath: document) else { return nil }
        let folder = URL(filePath: document).resolvingSymlinksInPath().deletingLastPathComponent()
        let above = folder.deletingLastPathComponent()
        return above.path == "/" ? nil : above.path
    }
}
