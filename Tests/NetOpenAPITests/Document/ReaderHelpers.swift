@testable import NetOpenAPI

/// Parses JSON; throws its diagnostic.
func json(_ text: String) throws(Diagnostic) -> Node {
    try JSONReader.read(text.bytes, name: "t.json").root
}

/// Parses YAML; throws its diagnostic.
func yaml(_ text: String) throws(Diagnostic) -> Node {
    try YAMLReader.read(text.bytes, name: "t.yaml").root
}

/// Returns the error of parsing; nil if there is none.
func jsonError(_ bytes: [UInt8]) -> Diagnostic? {
    do throws(Diagnostic) {
        _ = try JSONReader.read(bytes, name: "t.json")
        return nil
    } catch {
        return error
    }
}

func yamlError(_ bytes: [UInt8]) -> Diagnostic? {
    do throws(Diagnostic) {
        _ = try YAMLReader.read(bytes, name: "t.yaml")
        return nil
    } catch {
        return error
    }
}

func loadError(_ bytes: [UInt8], name: String = "t.yaml") -> Diagnostic? {
    do throws(Diagnostic) {
        return try DocumentLoader().load(bytes: bytes, name: name).diagnostics.first { $0.severity == .error }
    } catch {
        return error
    }
}

extension Node {
    /// The tree without positions, with quoted scalars in quotes: `{a: ["1", 2]}`.
    var outline: String {
        switch value {
        case .scalar(let text, let isQuoted): isQuoted ? "\"\(text)\"" : text
        case .array(let elements): "[" + elements.map(\.outline).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { "\($0.key): \($0.value.outline)" }.joined(separator: ", ") + "}"
        }
    }
}
