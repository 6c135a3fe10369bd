import Foundation

// openapi-samples DOCUMENT FOLDER MODULE: writes code that calls every operation of a document, in the module MODULE,
// and the table of responses that a test server needs for it; and the same for the document's examples

// It uses internals of the generator, which are visible only in a debug build.
#if DEBUG
import NetOpenAPI

func write(_ document: String, _ folder: String, _ module: String) throws {
    let above = URL(filePath: document).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent()
    let loaded = try DocumentLoader(referenceFolder: above.path).load(path: document)
    guard let emitter = SampleEmitter(document: loaded, configuration: GeneratorConfiguration()) else {
        throw Diagnostic(.error, "\(document) has errors; net-openapi-generate shows them")
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, contents) in [
        ("Samples.swift", emitter.source(enumName: "\(module)Calls", module: module)),
        ("answers.jsonl", emitter.table()), ("Examples.swift", emitter.exampleSource(module: module)),
        ("examples.jsonl", emitter.exampleTable()), ("components.jsonl", emitter.componentTable()),
    ] {
        try contents.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 3 else {
    print("usage: openapi-samples DOCUMENT FOLDER MODULE")
    exit(2)
}
do {
    try write(arguments[1], arguments[2], arguments[3])
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
#else
print("openapi-samples: build it for debugging")
exit(1)
#endif
