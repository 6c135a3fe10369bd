import NetOpenAPI
import Testing

@Test("Every real document loads", arguments: SharedData.corpus)
func everyRealDocumentLoads(_ entry: SharedData.CorpusDocument) throws {
    let document = try DocumentLoader().load(path: entry.path)
    #expect(document.root.isObject)
    #expect(document.version != nil)
    #expect(!document.hasErrors, "\(document.diagnostics)")
}
