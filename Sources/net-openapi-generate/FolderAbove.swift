#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The parent of a document's folder, because files that several documents share are often beside their folders.
enum FolderAbove {
    /// Returns the folder; nil if the document doesn't exist, or is in the root folder of the file system.
    static func of(_ document: String) -> String? {
        guard FileManager.default.fileExists(atPath: document) else { return nil }
        let folder = URL(filePath: document).resolvingSymlinksInPath().deletingLastPathComponent()
        let above = folder.deletingLastPathComponent()
        return above.path == "/" ? nil : above.path
    }
}
