#if Server
import Foundation
import HTTPTypes
import NetCore
import NetOpenAPI
import NetTesting
import Testing

@testable import NetTestOpenAPI

/// Real documents: every response generated for them conforms to them.
@Suite(.timeLimit(.minutes(10)))
struct CorpusTests {
    struct Entry: Decodable, Sendable, CustomStringConvertible {
        var id: String
        var root: String
        var bytes: Int
        var description: String { id }
    }

    static let folder: URL = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let named = ProcessInfo.processInfo.environment["NET_DATA"].map { URL(filePath: $0) }
        return (named ?? package.deletingLastPathComponent().appending(path: "shared")).appending(
            path: "openapi-corpus")
    }()

    /// The small documents; empty, with a line of output, if the data is absent.
    static let entries: [Entry] = {
        guard let data = try? Data(contentsOf: folder.appending(path: "manifest.json")),
            let entries = try? JSONDecoder().decode([Entry].self, from: data)
        else {
            print("skipped: 0 documents of the corpus, the shared data is absent (NET_DATA)")
            return []
        }
        return entries.filter { $0.bytes <= 60_000 }
    }()

    @Test(arguments: entries)
    func responsesOfADocumentAreWhatItSays(_ entry: Entry) throws {
        let path = Self.folder.appending(path: "\(entry.id)/\(entry.root)").path
        let description = try APIDescription(DocumentLoader().load(path: path))
        var problems: [OpenAPIFinding] = []
        for operation in description.operations where !operation.responses.isEmpty {
            let response = ResponseSampler(description: description, operation: operation, seed: 1).response(
                accept: nil)
            problems += ResponseValidation(description: description, operation: operation).findings(
                response.status.code, response.headers, response.body.whole ?? Bytes(),
                isHead: operation.method == "HEAD")
        }
        #expect(problems == [])
    }
}
#endif
