import NetOpenAPI
import Testing

/// The generator with real documents; skipped if the shared data is absent.
@Suite struct GeneratorCorpusTests {
    @Test(
        "Every operation of a real document becomes a request, the same way each time",
        arguments: SharedData.corpus.filter { $0.bytes <= 130_000 })
    func everyOperationIsGenerated(_ entry: SharedData.CorpusDocument) throws {
        let document = try DocumentLoader().load(path: entry.path)
        let first = Generator().generate(document: document)
        #expect(first.operationCount == entry.ops)
        #expect(Set(first.files.map { $0.name.lowercased() }).count == first.files.count)
        let fixed = GeneratorConfiguration(chunkCount: 3)
        #expect(
            Generator(configuration: fixed).generate(document: document).files.map(\.name)
                == fixed.outputFileNames(forDocument: entry.path))
        #expect(!first.hasErrors)
        let second = Generator().generate(document: document)
        #expect(first.files == second.files)
        for diagnostic in first.diagnostics where diagnostic.severity == .warning {
            #expect(diagnostic.position != nil, "\(diagnostic)")
        }
    }
}
