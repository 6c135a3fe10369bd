/// The files of one document: the root and those that its references lead to. Each is read once.
final class ReferenceFiles {
    /// One file.
    final class File {
        let root: Node
        /// The name of the file in positions.
        let name: String
        /// The path relative to the reference folder; nil for a document from memory.
        let relativePath: String?
        /// The `$anchor`, `$dynamicAnchor` and `$id` values of the file's schemas, collected on first use.
        lazy var identifiers = SchemaIdentifiers(root: root)
        /// The members of larger objects by key, so that a thousand references into one object remain cheap.
        var indexes: [JSONPointer: [ExactKey: Int]] = [:]

        init(root: Node, name: String, relativePath: String?) {
            self.root = root
            self.name = name
            self.relativePath = relativePath
        }
    }

    let root: File
    private let loader: DocumentLoader
    private let folder: String?
    /// The prefix that turns a relative path into the name used in positions.
    private let namePrefix: String
    private var files: [String: File] = [:]
    private var failures: [String: Diagnostic] = [:]
    /// Warnings such as duplicate keys in the files read so far.
    private(set) var warnings: [Diagnostic] = []

    init(document: Document, loader: DocumentLoader) {
        self.loader = loader
        self.folder = document.referenceFolder
        var relative: String?
        if let folder = document.referenceFolder, let path = document.path {
            relative = FilePath.relative(path, to: folder)
        }
        self.root = File(root: document.root, name: document.name, relativePath: relative)
        var prefix = document.referenceFolder.map { FilePath.join($0, "") } ?? ""
        if let relative, document.name.utf8.reversed().starts(with: relative.utf8.reversed()) {
            prefix = String(decoding: document.name.utf8.dropLast(relative.utf8.count), as: UTF8.self)
        }
        self.namePrefix = prefix
        files[document.name] = root
    }

    /// Returns the file with this name in positions; the root for a node created in code.
    func file(named name: String) -> File {
        files[name] ?? root
    }

    /// Returns the file at a path relative to another file.
    ///
    /// - Throws: An error without a position if the path leaves the reference folder or can't be read.
    func file(at path: String, from origin: File) throws(Diagnostic) -> File {
        guard let folder, let start = origin.relativePath else {
            throw Diagnostic(.error, "the document came from memory, so the file '\(path)' cannot be found")
        }
        guard let relative = FilePath.resolve(path, from: FilePath.folder(of: start)) else { throw leaves(path) }
        if relative == root.relativePath { return root }
        let name = namePrefix + relative
        if let known = files[name] { return known }
        if let failure = failures[name] { throw failure }
        do throws(Diagnostic) {
            let file = try read(relative, name: name, reference: path, folder: folder)
            files[name] = file
            return file
        } catch {
            failures[name] = error
            throw error
        }
    }

    private func read(
        _ relative: String, name: String, reference: String, folder: String
    ) throws(Diagnostic) -> File {
        guard files.count < ReadingLimits.maximumFiles else {
            throw Diagnostic(.error, "the document is spread over more than \(ReadingLimits.maximumFiles) files")
        }
        let path = FilePath.join(folder, relative)
        // A symbolic link can lead out of the folder even if the path doesn't.
        if let canonical = FileBytes.canonicalPath(path), FilePath.relative(canonical, to: folder) == nil {
            throw leaves(reference)
        }
        let text =
            try Self.isProse(name) ? loader.readProse(path: path, name: name) : loader.readText(path: path, name: name)
        warnings += text.warnings
        return File(root: text.root, name: name, relativePath: relative)
    }

    /// Returns true for a file of prose: several tools allow a description to be a reference to one.
    private static func isProse(_ name: String) -> Bool {
        [".md", ".markdown", ".txt", ".html"].contains { name.hasSuffix($0) }
    }

    private func leaves(_ path: String) -> Diagnostic {
        Diagnostic(
            .error,
            """
            the file '\(path)' is outside the folder '\(folder ?? "")' that references may read; move it there, or \
            name a folder that holds both
            """)
    }
}
