/// Which declaration goes into which file.
struct FileLayout {
    /// A declaration and what it is placed by.
    private struct Piece {
        /// The Swift name.
        let name: String
        /// The tag of an operation; nil for a model, and for an operation without one.
        var tag: String?
        let text: String
    }

    private var operations: [Piece] = []
    private var models: [Piece] = []

    mutating func add(operation name: String, tag: String?, _ emit: (inout SourceWriter) -> Void) {
        operations.append(Piece(name: name, tag: tag, text: Self.text(emit)))
    }

    mutating func add(model name: String, _ emit: (inout SourceWriter) -> Void) {
        models.append(Piece(name: name, text: Self.text(emit)))
    }

    private static func text(_ emit: (inout SourceWriter) -> Void) -> String {
        var writer = SourceWriter()
        emit(&writer)
        return writer.text
    }

    /// The names of the files after the document's own, each with its declarations.
    func files(servers: String, count: Int?) -> [(name: String, text: String)] {
        var files = [(name: "Servers", text: servers)]
        if let count {
            files += Self.chunks(operations, count).enumerated().map { ("Operations\($0.offset + 1)", $0.element) }
            files += Self.chunks(models, count).enumerated().map { ("Models\($0.offset + 1)", $0.element) }
            return files
        }
        return files + taggedOperations() + filledModels()
    }

    /// A fixed number of texts, chosen by the names: a new declaration moves no other.
    private static func chunks(_ pieces: [Piece], _ count: Int) -> [String] {
        var chunks = Array(repeating: [String](), count: max(1, count))
        for piece in pieces { chunks[Int(hash(piece.name) % UInt64(chunks.count))].append(piece.text) }
        return chunks.map { $0.joined(separator: "\n") }
    }

    /// A file for each tag, and one for the operations without; a further one where one is full.
    private func taggedOperations() -> [(name: String, text: String)] {
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
            Self.filled(group.pieces).enumerated().map { place, text in
                (place == 0 ? group.name : scope.claim("\(group.name)\(place + 1)"), text)
            }
        }
    }

    /// What a tag's file is called: letters and digits that every file system has.
    private static func fileName(_ tag: String) -> String {
        String(SwiftIdentifier.upperCamel(tag).filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }

    private func filledModels() -> [(name: String, text: String)] {
        Self.filled(models).enumerated().map { ("Models\($0.offset + 1)", $0.element) }
    }

    /// Declarations in their order, a new text where one is full: a compiler takes memory by the file.
    private static func filled(_ pieces: [Piece]) -> [String] {
        var files: [(lines: Int, texts: [String])] = []
        for piece in pieces {
            let lines = piece.text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
            if let last = files.last, last.lines + lines <= GeneratorConfiguration.maximumFileLines - 12 {
                files[files.count - 1].lines += lines
                files[files.count - 1].texts.append(piece.text)
            } else {
                files.append((lines, [piece.text]))
            }
        }
        return files.map { $0.texts.joined(separator: "\n") }
    }

    /// FNV-1a: the same on every machine and in every run.
    private static func hash(_ name: String) -> UInt64 {
        name.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    }
}
