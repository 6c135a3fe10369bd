import NetOpenAPI
import Testing

/// The generated code of a small document.
struct GeneratedCode {
    let text: String
    let diagnostics: [Diagnostic]
    let operationCount: Int

    /// Generates from YAML; adds missing top-level fields around `paths` and `components`.
    init(_ yaml: String, _ configuration: GeneratorConfiguration = GeneratorConfiguration(chunkCount: 1)) throws {
        let whole = yaml.contains("openapi:") ? yaml : "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n" + yaml
        let framed = whole.contains("paths:") ? whole : whole + "\npaths: {}\n"
        let document = try DocumentLoader().load(bytes: Array(framed.utf8), name: "doc.yaml")
        let result = Generator(configuration: configuration).generate(document: document)
        text = result.files.map(\.contents).joined()
        diagnostics = result.diagnostics
        operationCount = result.operationCount
    }

    /// Generates from the schemas of `components`.
    init(schemas: String) throws {
        let lines = schemas.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
        try self.init("components:\n  schemas:\n" + lines.joined(separator: "\n"))
    }

    /// Generates one GET operation `op` with these members.
    init(operation: String, path: String = "/x") throws {
        let lines = operation.split(separator: "\n", omittingEmptySubsequences: false).map { "      " + $0 }
        try self.init("paths:\n  '\(path)':\n    get:\n      operationId: op\n" + lines.joined(separator: "\n"))
    }

    func contains(_ snippet: String) -> Bool { text.contains(snippet) }

    var warnings: [String] { diagnostics.filter { $0.severity == .warning }.map(\.message) }
}
