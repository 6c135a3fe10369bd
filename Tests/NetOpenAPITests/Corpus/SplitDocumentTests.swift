import NetOpenAPI
import Testing

@Suite struct SplitDocumentTests {
    @Test func aDocumentInManyFilesIsTheSameAsInOne() throws {
        func outline(_ id: String) throws -> [String]? {
            guard let entry = SharedData.corpus.first(where: { $0.id == id }) else { return nil }
            return ModelOutline(try DocumentLoader(referenceFolder: entry.folder).load(path: entry.path)).operations
        }
        guard let many = try outline("lob-multi"), let one = try outline("lob-bundled") else {
            return print("skipped: the document in many files, the shared data is absent (NET_DATA)")
        }
        #expect(many.count == 105)
        #expect(many.count == one.count)
        for (left, right) in zip(many.sorted(), one.sorted()) {
            let pairs = zip(left.split(separator: "\n"), right.split(separator: "\n"))
            #expect(left == right, "\(pairs.first { $0 != $1 }.map { "\($0)\n\($1)" } ?? "a line more")")
        }
    }
}
