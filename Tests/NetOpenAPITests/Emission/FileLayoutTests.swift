import Foundation
import NetOpenAPI
import Testing

@Suite struct FileLayoutTests {
    /// Generates the files of a document whose operations all have one tag.
    private func files(operations: Int, tag: String = "pets") throws -> [GeneratedFile] {
        let paths = (0..<operations).map { "  /a\($0): {get: {tags: [\(tag)], operationId: a\($0)}}\n" }.joined()
        let text = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n" + paths
        let document = try DocumentLoader().load(bytes: Array(text.utf8), name: "doc.yaml")
        return Generator().generate(document: document).files.filter { $0.name != "doc+Servers.swift" }
    }

    @Test func aTagThatIsFullHasFurtherFiles() throws {
        #expect(try files(operations: 2).map(\.name) == ["doc+Pets.swift"])
        let many = try files(operations: 400)
        #expect(many.count > 2)
        #expect(many.map(\.name).prefix(3) == ["doc+Pets.swift", "doc+Pets2.swift", "doc+Pets3.swift"])
        for file in many {
            #expect(file.contents.split(separator: "\n", omittingEmptySubsequences: false).count <= 1501)
        }
        let requests = many.map { $0.contents.components(separatedBy: "Request: APIRequest").count - 1 }
        #expect(requests.reduce(0, +) == 400)
    }

    @Test func anOperationIsInOneFileOnly() throws {
        let first = try files(operations: 400)
        #expect(first == (try files(operations: 400)))
        let text = first.map(\.contents).joined()
        #expect(text.components(separatedBy: "struct A399Request:").count == 2)
    }
}
