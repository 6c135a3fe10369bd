/// The options of a ``Generator``.
///
///     let generator = Generator(configuration: GeneratorConfiguration(accessLevel: .internal))
public struct GeneratorConfiguration: Sendable, Hashable {
    /// The access level of generated declarations.
    public enum AccessLevel: String, Sendable, Hashable, CaseIterable {
        case `public`, package, `internal`
    }

    /// The form of enumerations whose values the document lists.
    public enum Enumerations: String, Sendable, Hashable, CaseIterable {
        /// An enumeration with a case for values that the document doesn't list, so that newer servers can be read.
        case open
        /// An enumeration with only the document's values; decoding any other throws.
        case closed
        /// The values themselves, as strings or integers.
        case values
    }

    /// The form of strings with the formats `date-time` and `date`.
    public enum Dates: String, Sendable, Hashable, CaseIterable {
        /// `Date` and `CalendarDate`.
        case date
        /// `String`, as the server writes them.
        case text
    }

    /// The access level of every generated declaration. Default `.public`.
    public var accessLevel: AccessLevel
    /// The prefix of the output file names. Default nil: the document's file name without its extension.
    public var filePrefix: String?
    /// The prefix of all generated type names. Default nil: no prefix.
    public var typePrefix: String?
    /// The fixed number of files for operations, and likewise for models. Default nil: the number isn't fixed.
    ///
    /// A build plugin needs a fixed number, because it has to know the file names in advance; some of the files may
    /// then contain no declarations. If nil, the operations of each tag go into one file, or into several when it is
    /// full, and the models into as many files as they need at ``maximumFileLines`` each.
    public var chunkCount: Int?
    /// The maximum number of lines per file if ``chunkCount`` is nil. A type is never split.
    public static let maximumFileLines = 1500
    /// The parts of the document for which code is generated. Default everything.
    public var filter: DocumentFilter
    /// The modules that each generated file imports in addition. Default none.
    public var imports: [String] = []
    /// The comment at the beginning of each file, without `//`; empty for none. Default nil: the name of the generator
    /// and of the document.
    public var header: String?
    /// The name of the client, without `Client`; those of the servers and of the security schemes begin with it too.
    /// Default nil: the title of the document without the word API, or its file name if the title has no letters or
    /// more than 40.
    public var clientName: String?
    /// True if a server for the document is generated too: a protocol for each tag. Default false.
    public var stubs = false
    /// True if the examples of the document are generated too, as a list for a test. Default false.
    public var examples = false
    /// Names that replace those made from the document. Default none.
    public var names = NameOverrides()
    /// The form of enumerations. Default `.open`.
    public var enumerations = Enumerations.open
    /// The form of dates. Default `.date`.
    public var dates = Dates.date

    /// Creates a configuration; a `chunkCount` below 1 counts as 1.
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

    /// Returns the names of the files generated for a document, whatever its contents; nil if ``chunkCount`` is nil,
    /// because the names then depend on the document's tags.
    ///
    /// The names start with ``filePrefix`` or the document's name, so that the files of two documents don't clash:
    /// `openapi.yaml` becomes `openapi+Servers.swift`, `openapi+Operations1.swift` … and `openapi+Models1.swift` ….
    public func outputFileNames(forDocument name: String) -> [String]? {
        guard let chunkCount else { return nil }
        let stem = stem(forDocument: name)
        let chunks = 1...max(1, chunkCount)
        return ["\(stem)+Servers.swift"] + chunks.map { "\(stem)+Operations\($0).swift" }
            + chunks.map { "\(stem)+Models\($0).swift" }
    }

    /// Returns ``filePrefix``, or the last path component without its extension, with every character other than ASCII
    /// letters, digits, `-` and `_` replaced by `_`.
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
