/// Which declaration goes into which file.
struct FileLayout {
    /// Declarations in a fixed number of pieces, chosen by their names: a new one moves no other.
    struct Chunks {
        fileprivate(set) var operations: [SourceWriter]
        fileprivate(set) var models: [SourceWriter]

        init(count: Int) {
            operations = Array(repeating: SourceWriter(), count: max(1, count))
            models = operations
        }

        mutating func add(operation name: String, _ emit: (inout SourceWriter) -> Void) {
            Self.add(name, to: &operations, emit)
        }

        mutating func add(model name: String, _ emit: (inout SourceWriter) -> Void) {
            Self.add(name, to: &models, emit)
        }

        private static func add(_ name: String, to writers: inout [SourceWriter], _ emit: (inout SourceWriter) -> Void)
        {
            let place = Int(hash(name) % UInt64(writers.count))
            if !writers[place].text.isEmpty { writers[place].line() }
            emit(&writers[place])
        }

        /// FNV-1a: the same on every machine and in every run.
        private static func hash(_ name: String) -> UInt64 {
            name.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        }
    }

    let configuration: GeneratorConfiguration
    let document: String
    let aliases: ForeignAliases

    func files(servers: String, chunks: Chunks) -> [GeneratedFile] {
        let names = configuration.outputFileNames(forDocument: document)
        let texts = [servers] + chunks.operations.map(\.text) + chunks.models.map(\.text)
        let file = document.split(separator: "/").last.map(String.init) ?? document
        return zip(names, texts).map { name, text in
            GeneratedFile(
                name: name,
                contents: SourceFile.contents(text, document: file, configuration: configuration, aliases: aliases))
        }
    }
}
