/// How code is generated.
///
///     let generator = Generator(configuration: GeneratorConfiguration(accessLevel: .internal))
public struct GeneratorConfiguration: Sendable, Hashable {
    /// The access level of what is generated.
    public enum AccessLevel: String, Sendable, Hashable, CaseIterable {
        case `public`, package, `internal`
    }

    /// The access level of every generated declaration. Default public.
    public var accessLevel: AccessLevel
    /// What the names of the output files start with; nil takes the document's file name without its extension.
    public var filePrefix: String?
    /// What the names of all generated types start with; nil for none.
    public var typePrefix: String?
    /// How many files of fixed names the operations are spread over, and the models; a file may then hold no declaration.
    /// A build plugin needs that, to know the names beforehand. Default nil: a file for the operations of each tag,
    /// further ones where that is full, and as many as the models need at ``maximumFileLines`` each.
    public var chunkCount: Int?
    /// How many lines a file has at most, where the number of files is not fixed; a type is never split.
    public static let maximumFileLines = 1500
    /// What of the document is generated. Default everything.
    public var filter: DocumentFilter

    /// Takes the settings; a chunk count below 1 counts as 1.
    public init(
        accessLevel: AccessLevel = .public, filePrefix: String? = nil, typePrefix: String? = nil,
        chunkCount: Int? = nil,
        filter: DocumentFilter = DocumentFilter()
    ) {
        self.accessLevel = accessLevel
        self.filePrefix = filePrefix
        self.typePrefix = typePrefix
        self.chunkCount = chunkCount.map { max(1, $0) }
        self.filter = filter
    }

    /// The names of the files that a document becomes, whatever it holds; nil where ``chunkCount`` is nil and they depend on
    /// its tags.
    ///
    /// They start with ``filePrefix`` or the document's name, so that two documents do not clash: `openapi.yaml` becomes
    /// `openapi+Servers.swift`, `openapi+Operations1.swift` … and `openapi+Models1.swift` ….
    public func outputFileNames(forDocument name: String) -> [String]? {
        guard let chunkCount else { return nil }
        let stem = stem(forDocument: name)
        let chunks = 1...max(1, chunkCount)
        return ["\(stem)+Servers.swift"] + chunks.map { "\(stem)+Operations\($0).swift" }
            + chunks.map { "\(stem)+Models\($0).swift" }
    }

    /// The last component of the path without its extension; what no file name should hold becomes `_`.
    func stem(forDocument name: String) -> String {
        var text = filePrefix ?? Self.baseName(name)
        text = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "_" })
        return text.isEmpty ? "OpenAPI" : text
    }

    private static func baseName(_ path: String) -> String {
        let file = path.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: "."), dot > file.startIndex else { return String(file) }
        return String(file[..<dot])
    }
}
