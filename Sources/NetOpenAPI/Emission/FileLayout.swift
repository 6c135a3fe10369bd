/// Distributes the declarations over files.
struct FileLayout {
    /// The declarations of one file.
    struct File {
        var name: String
        var text: String
        var modules: ModuleUse

        init(_ name: String, _ text: String, _ modules: ModuleUse = []) {
            self.name = name
            self.text = text
            self.modules = modules
        }

        fileprivate init(_ name: String, _ pieces: [Piece]) {
            self.init(
                name, pieces.map(\.text).joined(separator: "\n"),
                pieces.reduce(into: []) { $0.formUnion($1.modules) })
        }
    }

    /// A declaration, with the properties that determine its file.
    fileprivate struct Piece {
        /// The Swift name.
        let name: String
        /// The tag of an operation; nil for a model, and for an operation without one.
        var tag: String?
        let modules: ModuleUse
        let text: String
    }

    private var operations: [Piece] = []
    private var models: [Piece] = []

    mutating func add(operation name: String, tag: String?, modules: ModuleUse, _ emit: (inout SourceWriter) -> Void) {
        operations.append(Piece(name: name, tag: tag, modules: modules, text: Self.text(emit)))
    }

    mutating func add(model name: String, modules: ModuleUse, _ emit: (inout SourceWriter) -> Void) {
        models.append(Piece(name: name, modules: modules, text: Self.text(emit)))
    }

    private static func text(_ emit: (inout SourceWriter) -> Void) -> String {
        var writer = SourceWriter()
        emit(&writer)
        return writer.text
    }

    /// Returns the files; their names follow the document's own.
    func files(servers: String, count: Int?) -> [File] {
        let files = [File("Servers", servers)]
        guard let count else { return files + taggedOperations() + filledModels() }
        return files + Self.chunks("Operations", operations, count) + Self.chunks("Models", models, count)
    }

    /// Returns a fixed number of files, chosen by the names: a new declaration moves no other.
    private static func chunks(_ name: String, _ pieces: [Piece], _ count: Int) -> [File] {
        var chunks = Array(repeating: [Piece](), count: max(1, count))
        for piece in pieces { chunks[Int(hash(piece.name) % UInt64(chunks.count))].append(piece) }
        return chunks.enumerated().map { File("\(name)\($0.offset + 1)", $0.element) }
    }

    /// Returns a file for each tag, one for the operations without a tag, and a further one if a file is full.
    private func taggedOperations() -> [File] {
        var scope = NameScope(["Servers"])
        var places: [String?: Int] = [:]
        var groups: [(name: String, pieces: [Piece])] = []
        for piece in operations {
            let place = places[piece.tag] ?? groups.count
            if place == groups.count {
                places[piece.tag] = place
                let name = piece.tag.map { Self.fileName($0) } ?? ""
                // A number at the end would look like that of a file of models.
                let isModels = name.hasPrefix("Models")
                groups.append((scope.claim(name.isEmpty ? "Operations" : isModels ? "Tag" + name : name), []))
            }
            groups[place].pieces.append(piece)
        }
        return groups.flatMap { group in
            Self.filled(group.pieces).enumerated().map { place, pieces in
                File(place == 0 ? group.name : scope.claim("\(group.name)\(place + 1)"), pieces)
            }
        }
    }

    /// Returns the name of a tag's file, from letters and digits that every file system supports.
    private static func fileName(_ tag: String) -> String {
        String(SwiftIdentifier.upperCamel(tag).filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }

    private func filledModels() -> [File] {
        Self.filled(models).enumerated().map { File("Models\($0.offset + 1)", $0.element) }
    }

    /// Distributes declarations over files in their order. The size of a file is limited, because it determines how
    /// much memory the compiler needs.
    private static func filled(_ pieces: [Piece]) -> [[Piece]] {
        var files: [(lines: Int, pieces: [Piece])] = []
        for piece in pieces {
            let lines = piece.text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
            if let last = files.last, last.lines + lines <= GeneratorConfiguration.maximumFileLines - 12 {
                files[files.count - 1].lines += lines
                files[files.count - 1].pieces.append(piece)
            } else {
                files.append((lines, [piece]))
            }
        }
        return files.map(\.pieces)
    }

    /// Returns the FNV-1a hash, which is the same on every machine and in every run.
    private static func hash(_ name: String) -> UInt64 {
        name.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
