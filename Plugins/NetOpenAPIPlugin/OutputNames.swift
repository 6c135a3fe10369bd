/// The names of the files that the generator writes for a document.
///
/// A plugin cannot import the generator, so this repeats `GeneratorConfiguration.outputFileNames(forDocument:)` with its
/// defaults. A test compiles this file too and compares it with `net-openapi-generate --list-outputs`.
enum OutputNames {
    static let chunkCount = 4

    /// Whether a file of that name is an OpenAPI document: `openapi.yaml`, or `petstore.openapi.yaml`; `.yml` and `.json`
    /// alike.
    static func isDocument(_ fileName: String) -> Bool {
        ["openapi.yaml", "openapi.yml", "openapi.json"].contains { fileName == $0 || fileName.hasSuffix(".\($0)") }
    }

    /// Whether a file of that name may be part of a document that is spread over several files.
    static func isPart(_ fileName: String) -> Bool {
        [".yaml", ".yml", ".json"].contains { fileName.hasSuffix($0) }
    }

    /// The names for a document, given its file name without a folder.
    static func outputs(forDocument fileName: String) -> [String] {
        let stem = stem(fileName)
        return ["\(stem)+Servers.swift"] + (1...chunkCount).map { "\(stem)+Operations\($0).swift" }
            + (1...chunkCount).map { "\(stem)+Models\($0).swift" }
    }

    private static func stem(_ fileName: String) -> String {
        var stem = Substring(fileName)
        if let dot = stem.lastIndex(of: "."), dot > stem.startIndex { stem = stem[..<dot] }
        let text = String(
            stem.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "_" })
        return text.isEmpty ? "OpenAPI" : text
    }
}
