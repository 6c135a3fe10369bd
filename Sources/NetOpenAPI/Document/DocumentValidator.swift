/// Checks the top-level fields of a document: that it is OpenAPI of a known version, and that it has something to
/// generate.
enum DocumentValidator {
    struct Frame {
        var version: SpecificationVersion?
        var diagnostics: [Diagnostic] = []

        fileprivate mutating func report(_ message: String, at position: SourcePosition, pointer: String) {
            diagnostics.append(Diagnostic(.error, message, at: position, pointer: pointer))
        }
    }

    static func validate(_ root: Node) -> Frame {
        var frame = Frame()
        guard root.isObject else {
            frame.report(
                "an OpenAPI document is an object with 'openapi', 'info' and 'paths'; found \(root.kindName)",
                at: root.position, pointer: "")
            return frame
        }
        checkVersion(root, into: &frame)
        if frame.diagnostics.isEmpty { checkContent(root, into: &frame) }
        return frame
    }

    private static func checkVersion(_ root: Node, into frame: inout Frame) {
        let supported = "3.0, 3.1 and 3.2 are supported"
        guard let field = root["openapi"] else {
            if let swagger = root["swagger"] {
                frame.report(
                    """
                    the document is Swagger \(swagger.text ?? "2.0"), the format before OpenAPI 3; convert it to \
                    OpenAPI 3.0 or later first (\(supported))
                    """,
                    at: swagger.position, pointer: "/swagger")
            } else {
                frame.report(
                    "the field 'openapi' is missing; write the version of the specification, such as openapi: 3.1.0",
                    at: root.position, pointer: "")
            }
            return
        }
        guard let text = field.text, !field.isNull else {
            frame.report(
                "the field 'openapi' is text such as 3.1.0; found \(field.kindName)", at: field.position,
                pointer: "/openapi")
            return
        }
        frame.version = SpecificationVersion(field: text)
        if frame.version == nil {
            frame.report(
                "OpenAPI '\(text.prefix(40))' is not supported; \(supported)", at: field.position,
                pointer: "/openapi")
        }
    }

    private static func checkContent(_ root: Node, into frame: inout Frame) {
        for key in ["paths", "webhooks", "components"] {
            guard let field = root[key], !field.isObject, !field.isNull else { continue }
            frame.report(
                "the field '\(key)' is an object; found \(field.kindName)", at: field.position, pointer: "/\(key)")
        }
        guard root["paths"] == nil else { return }
        if root["webhooks"] == nil, root["components"] == nil {
            let wanted =
                frame.version == .openAPI30
                ? "the field 'paths' is missing; OpenAPI 3.0 requires it, write paths: {} when there are none"
                : "the document has none of 'paths', 'webhooks' and 'components'; one of them is required"
            frame.report(wanted, at: root.position, pointer: "")
        } else if frame.version == .openAPI30 {
            // Schemas that several documents share are published in this form.
            frame.diagnostics.append(
                Diagnostic(
                    .warning, "the field 'paths' is missing; OpenAPI 3.0 requires it, write paths: {}",
                    at: root.position, pointer: ""))
        }
    }
}
