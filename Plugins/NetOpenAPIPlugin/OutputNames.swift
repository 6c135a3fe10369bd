/// The names of the files that the generator writes for a document.
///
/// A plugin cannot import the generator, so this repeats `GeneratorConfiguration.outputFileNames(forDocument:)`. A test
/// compiles this file too and compares it with `net-openapi-generate --list-outputs`.
enum OutputNames {
    /// How many files the operations are spread over, and the models: 16 in all, unless the configuration says otherwise.
    static let chunkCount = 8

    /// The name of the configuration file of a document: `openapi.yaml` has `openapi-generator.yaml` or `.json` beside it,
    /// `petstore.openapi.yaml` may have `petstore.openapi-generator.yaml`.
    static func configurations(forDocument fileName: String) -> [String] {
        let stem = stem(fileName, isExact: true)
        return ["yaml", "yml", "json"].map { "\(stem)-generator.\($0)" }
    }

    /// The number that a configuration has for `files`; nil where it has none.
    ///
    /// A plugin has no reader of YAML: one line with the key and a number is what it looks for.
    static func chunkCount(inConfiguration text: String) -> Int? {
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ $0.isLetter || $0 == "-" }) == "files" else { continue }
            return Int(parts[1].filter(\.isNumber))
        }
        return nil
    }

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
    static func outputs(forDocument fileName: String, chunkCount: Int = chunkCount) -> [String] {
        let stem = stem(fileName)
        return ["\(stem)+Servers.swift"] + (1...chunkCount).map { "\(stem)+Operations\($0).swift" }
            + (1...chunkCount).map { "\(stem)+Models\($0).swift" }
    }

    private static func stem(_ fileName: String, isExact: Bool = false) -> String {
        var stem = Substring(fileName)
        if let dot = stem.lastIndex(of: "."), dot > stem.startIndex { stem = stem[..<dot] }
        if isExact { return String(stem) }
        let text = String(
            stem.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "_" })
        return text.isEmpty ? "OpenAPI" : text
    }
}
