/// The names of the files that the generator writes for a document.
///
/// A plugin can't import the generator, so this repeats `GeneratorConfiguration.outputFileNames(forDocument:)`. A test
/// compiles this file as well and compares it with `net-openapi-generate --list-outputs`.
enum OutputNames {
    /// The default number of files for the operations, and of files for the models: 16 in all.
    static let chunkCount = 8

    /// Returns the possible names of a document's configuration file: `openapi-generator.yaml`, `.yml` or `.json` for
    /// `openapi.yaml`, `petstore.openapi-generator.yaml` for `petstore.openapi.yaml`.
    static func configurations(forDocument fileName: String) -> [String] {
        let stem = stem(fileName, isExact: true)
        return ["yaml", "yml", "json"].map { "\(stem)-generator.\($0)" }
    }

    /// Returns the value of `files` in a configuration; nil if there is none.
    ///
    /// A plugin has no YAML parser, so this looks for a line with the key and a number.
    static func chunkCount(inConfiguration text: String) -> Int? {
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ $0.isLetter || $0 == "-" }) == "files" else { continue }
            return Int(parts[1].filter(\.isNumber))
        }
        return nil
    }

    /// Returns true if the name is that of an OpenAPI document: `openapi.yaml` or `petstore.openapi.yaml`, also with
    /// the extension `.yml` or `.json`.
    static func isDocument(_ fileName: String) -> Bool {
        ["openapi.yaml", "openapi.yml", "openapi.json"].contains { fileName == $0 || fileName.hasSuffix(".\($0)") }
    }

    /// Returns true if a file with this name can be part of a document that consists of several files.
    static func isPart(_ fileName: String) -> Bool {
        [".yaml", ".yml", ".json"].contains { fileName.hasSuffix($0) }
    }

    /// Returns the names of the generated files for a document, given its file name without a directory.
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
