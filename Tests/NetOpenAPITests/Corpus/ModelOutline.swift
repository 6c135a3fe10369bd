@testable import NetOpenAPI

/// A description of a model that doesn't depend on the names of its types: two documents with the same meaning have the
/// same description.
struct ModelOutline {
    /// The depth to which types are described; recursive types have no end.
    private static let depth = 4

    let model: APIModel

    init(_ document: Document) {
        model = APIModelPlanner.plan(
            document, configuration: GeneratorConfiguration(), resolver: ReferenceResolver(document: document),
            log: DiagnosticLog())
    }

    /// One text for each operation, in document order.
    var operations: [String] { model.operations.map(outline) }

    private func outline(_ operation: OperationModel) -> String {
        var lines = ["\(operation.method) \(operation.path) \(operation.identifier) \(operation.tags)"]
        for parameter in operation.parameters {
            lines.append(
                "\(parameter.location) \(parameter.name) \(parameter.style) \(parameter.explode) "
                    + "\(parameter.isRequired) \(outline(parameter.type))")
        }
        if let body = operation.body {
            lines.append("body \(body.contentType ?? "") \(body.isRequired) \(outline(body.kind))")
        }
        for response in operation.successes + operation.failures {
            let headers = response.headers.map { "\($0.name) \(outline($0.type))" }
            lines.append("\(response.status) \(outline(response.content)) \(headers)")
        }
        return lines.joined(separator: "\n")
    }

    private func outline(_ kind: BodyModel.Kind) -> String {
        switch kind {
        case .json(let type): return outline(type)
        case .form(let type, let encodings): return "form \(outline(type)) \(encodings)"
        case .multipart(let parts):
            let texts = parts.map { part -> String in
                guard case .value(let type) = part.kind else { return "\(part.name) \(part.isRequired) \(part.kind)" }
                return "\(part.name) \(part.isRequired) \(outline(type))"
            }
            return "multipart \(texts)"
        case .text, .raw: return "\(kind)"
        }
    }

    private func outline(_ content: ResponseModel.Content) -> String {
        switch content {
        case .json(let type), .sequence(let type, _), .events(let type?): return outline(type)
        case .none, .text, .binary, .events(nil): return "\(content)"
        }
    }

    private func outline(_ type: TypeReference, depth: Int = 0) -> String {
        switch model.unaliased(type) {
        case .scalar(let scalar): return scalar.rawValue
        case .array(let element): return "[\(outline(element, depth: depth))]"
        case .dictionary(let value): return "[:\(outline(value, depth: depth))]"
        case .optional(let inner): return outline(inner, depth: depth) + "?"
        case .named(let id):
            guard depth < Self.depth else { return "…" }
            return outline(model[id].kind, depth: depth + 1)
        }
    }

    private func outline(_ kind: TypeDeclaration.Kind, depth: Int) -> String {
        switch kind {
        case .object(let object):
            let members = object.properties.map { property in
                "\(property.name)\(property.isRequired ? "" : "?")\(property.isNullable ? " or null" : ""): "
                    + outline(property.type, depth: depth)
            }
            let rest = object.additional.map { ["*: \(outline($0, depth: depth))"] } ?? []
            return "{\((members.sorted() + rest).joined(separator: ", "))}"
        case .enumeration(let enumeration):
            return "\(enumeration.isInteger ? "whole" : "text") \(enumeration.values.map(\.text).sorted())"
        case .union(let union):
            let variants = union.variants.map {
                "\($0.discriminatorValue ?? "") \(outline($0.type, depth: depth))"
            }
            return "either \(union.discriminator ?? "") \(variants.sorted())"
        case .alias(let target): return outline(target, depth: depth)
        case .pending, .removed: return "nothing"
        }
    }
}
