import NetOpenAPI
import Testing

@Test("References of every real document are looked up", arguments: SharedData.corpus)
func referencesOfEveryRealDocumentAreLookedUp(_ entry: SharedData.CorpusDocument) throws {
    let document = try DocumentLoader().load(path: entry.path)
    let errors = ReferenceResolver(document: document).checkAll()
    for error in errors { print(error) }
    for warning in document.diagnostics.prefix(3) { print(warning) }
}
