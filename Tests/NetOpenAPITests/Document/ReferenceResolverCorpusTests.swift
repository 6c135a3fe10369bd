import NetOpenAPI
import Testing

/// The faults in the references of some real documents; all others have no dangling references.
private let knownFaults = [
    "square": (5, "'/components/schemas' has no 'CatalogModifierToggleOverrideType'"),
    "intercom-2.11": (4, "'/components/schemas' has no 'custom_attributes'"),
    "camara-geofencing": (29, "is outside the folder"),
    "ga4gh-drs-multi": (1, "it is a URL, which isn't fetched"),
]

@Test("References of every real document are found, but for the known faults", arguments: SharedData.corpus)
func referencesOfEveryRealDocumentAreFound(_ entry: SharedData.CorpusDocument) throws {
    let document = try DocumentLoader().load(path: entry.path)
    let errors = ReferenceResolver(document: document).checkAll()
    let (count, message) = knownFaults[entry.id] ?? (0, "")
    #expect(errors.count == count, "\(errors.prefix(3))")
    #expect(errors.allSatisfy { $0.message.contains(message) && $0.position != nil && $0.pointer != nil })
}

@Test("A document whose parts lie beside its folder is whole with a wider folder")
func widerFolderMakesDocumentWhole() throws {
    guard let entry = SharedData.corpus.first(where: { $0.id == "camara-geofencing" }) else { return }
    let folder = entry.path.replacing("/" + entry.root, with: "")
    let document = try DocumentLoader(referenceFolder: folder).load(path: entry.path)
    #expect(ReferenceResolver(document: document).checkAll() == [])
}
