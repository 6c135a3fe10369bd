import NetOpenAPI

/// Writes calls of every operation and the answers they expect, for the conformance run.
struct SampleWriting {
    let document: String
    let folder: OutputFolder
    let module: String
    let referenceFolder: String?

    func run(_ configuration: GeneratorConfiguration) -> Bool {
        do throws(Diagnostic) {
            let loaded = try Generation.loader(document, referenceFolder).load(path: document)
            guard let emitter = SampleEmitter(document: loaded, configuration: configuration) else { return false }
            let source = emitter.source(enumName: "\(module)Calls", module: module)
            _ = try folder.write([
                GeneratedFile(name: "Samples.swift", contents: source),
                GeneratedFile(name: "answers.jsonl", contents: emitter.table()),
                GeneratedFile(name: "Examples.swift", contents: emitter.exampleSource(module: module)),
                GeneratedFile(name: "examples.jsonl", contents: emitter.exampleTable()),
                GeneratedFile(name: "components.jsonl", contents: emitter.componentTable()),
            ])
            return true
        } catch {
            Console.printError(error.description)
            return false
        }
    }
}
