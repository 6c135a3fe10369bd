import Foundation
import NetOpenAPI

/// The folder of conformance files and real documents, which isn't part of the package.
///
/// The variable `NET_DATA` contains its path; without it, a folder `shared` beside the package is used.
enum SharedData {
    static let packageFolder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let folder: URL? = {
        let named = ProcessInfo.processInfo.environment["NET_DATA"].map { URL(filePath: $0) }
        let folder = named ?? packageFolder.deletingLastPathComponent().appending(path: "shared")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// One document of the corpus.
    struct CorpusDocument: Decodable, CustomStringConvertible {
        var id: String
        var root: String
        var bytes: Int
        var ops: Int

        var description: String { id }
        var folder: String { SharedData.folder?.appending(path: "openapi-corpus/\(id)").path ?? "." }
        var path: String { SharedData.folder?.appending(path: "openapi-corpus/\(id)/\(root)").path ?? root }
    }

    /// The corpus; empty, with a line of output, if the data is absent.
    static let corpus: [CorpusDocument] = {
        guard let folder, let data = try? Data(contentsOf: folder.appending(path: "openapi-corpus/manifest.json")),
            let documents = try? JSONDecoder().decode([CorpusDocument].self, from: data)
        else {
            print("skipped: 0 documents of the corpus, the shared data is absent (NET_DATA)")
            return []
        }
        return documents
    }()
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}
