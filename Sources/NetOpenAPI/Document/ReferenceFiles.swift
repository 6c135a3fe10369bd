/// The files of one document: the root, and what its references reach, each read once.
final class ReferenceFiles {
    /// One file that was read.
    final class File {
        let root: Node
        /// What positions call it.
        let name: String
        /// Its path from the reference folder; nil for a document from memory.
        let relativePath: String?
        /// `$anchor`, `$dynamicAnchor` and `$id` of the file's schemas, made at first need.
        lazy var identifiers = SchemaIdentifiers(root: root)
        /// The members of the larger objects by key, so that a thousand references into one object stay cheap.
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
    /// What stands before a relative path to make the name that positions use.
    private let namePrefix: String
    private var files: [String: File] = [:]
    private var failures: [String: Diagnostic] = [:]
    /// Duplicate keys and the like in the files read so far.
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

    /// The file whose positions carry that name; the root for a node made by hand.
    func file(named name: String) -> File {
        files[name] ?? root
    }

    /// The file at a path seen from another file.
    ///
    /// - Throws: An error without a position when the path leaves the reference folder or cannot be read.
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
        // A symbolic link may lead out of the folder although the path does not.
        if let canonical = FileBytes.canonicalPath(path), FilePath.relative(canonical, to: folder) == nil {
            throw leaves(reference)
        }
        let text =
            try Self.isProse(name) ? loader.readProse(path: path, name: name) : loader.readText(path: path, name: name)
        warnings += text.warnings
        return File(root: text.root, name: name, relativePath: relative)
    }

    /// A description may be a reference to a file of prose, which several tools offer.
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
