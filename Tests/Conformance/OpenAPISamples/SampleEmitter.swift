#if DEBUG
@testable import NetOpenAPI

/// Writes code that calls every operation of a document once, and the table of responses that a test server needs for
/// it.
///
/// Each call sends a value for every parameter and body, and compares the result with the value that the response must
/// decode to.
struct SampleEmitter {
    let context: SwiftContext
    let operations: OperationEmitter
    let values: SampleValues
    /// The members of `components/schemas`.
    let schemas: [Node.Member]

    /// Plans the document like the generator; nil after an error.
    init?(document: Document, configuration: GeneratorConfiguration) {
        guard let context = Generator(configuration: configuration).plan(document).context else { return nil }
        self.context = context
        schemas = document.root["components"]?["schemas"]?.members ?? []
        operations = OperationEmitter(context: context, models: ModelEmitter(context))
        values = SampleValues(context: context)
    }

    /// Returns a Swift file with `enum NAME`, whose `calls` are functions of a client; it imports the generated module.
    func source(enumName name: String, module: String) -> String {
        var writer = SourceWriter()
        for line in [
            "#if canImport(FoundationEssentials)", "import FoundationEssentials", "#else", "import Foundation",
            "#endif",
        ] {
            writer.line(line)
        }
        writer.line("import NetOpenAPIRuntime")
        writer.line("import NetHTTP")
        writer.line("import \(module)")
        writer.line()
        writer.block("nonisolated public enum \(name)") { writer in
            writer.line("nonisolated public struct Unexpected: Error { public let what: String }")
            writer.line()
            writer.line(
                "public static let calls: [(name: String, call: @Sendable (HTTPClient) async throws -> Void)] = [")
            for (index, operation) in context.model.operations.enumerated() {
                writer.line("    (\(SwiftLiteral.string(operation.identifier)), call\(index)),")
            }
            writer.line("]")
            writer.line()
            writer.block("private static func expect<Value: Equatable>(_ value: Value, _ expected: Value) throws") {
                writer in
                writer.line(
                    "guard value == expected else { throw Unexpected(what: \"got \\(value), not \\(expected)\") }")
            }
            for index in context.model.operations.indices {
                writer.line()
                writer.line("@Sendable")
                writer.block("static func call\(index)(_ client: HTTPClient) async throws") { emitCall(index, &$0) }
            }
        }
        return writer.text
    }

    private func emitCall(_ index: Int, _ writer: inout SourceWriter) {
        let item = operations.item(index)
        let required = arguments(item)
        writer.list(
            "let request = \(item.names.type)", required.map { "\(SwiftIdentifier.label($0.name)): \($0.value)" })
        guard let response = item.model.successes.first else {
            writer.line("try await client.send(request)")
            return
        }
        switch operations.success(item.model) {
        case .nothing: writer.line("try await client.send(request)")
        case .single(let content) where firstElement(of: content) != nil:
            writer.line("let elements = try await client.send(request)")
            emitFirstElement(of: content, &writer)
        case .single(let content):
            writer.line("let response = try await client.send(request)")
            writer.line("let expected: \(operations.type(content)) = \(sample(content).swift)")
            writer.line("try expect(response, expected)")
        case .several where firstElement(of: response.content) != nil:
            let name = SwiftIdentifier.quoted(item.names.successes[0])
            let code = response.status.isSingle ? "" : "statusCode: _, "
            writer.line("guard case .\(name)(\(code)let elements) = try await client.send(request) else {")
            writer.line("    throw Unexpected(what: \"another response came\")")
            writer.line("}")
            emitFirstElement(of: response.content, &writer)
        case .several:
            writer.line("let response = try await client.send(request)")
            writer.line("let expected = \(item.names.type).Output.\(outputCase(response, item.names.successes[0]))")
            writer.line("try expect(response, expected)")
        }
    }

    /// Returns code that compares the first element of a stream; nil for a response that isn't a stream.
    private func firstElement(of content: ResponseModel.Content) -> String? {
        switch content {
        case .events(nil): "try expect(element.data, \"text\")"
        case .events(let type?), .sequence(let type, _): "try expect(element, \(values.value(type).swift))"
        case .none, .json, .text, .binary: nil
        }
    }

    private func emitFirstElement(of content: ResponseModel.Content, _ writer: inout SourceWriter) {
        writer.line("for try await element in elements {")
        writer.line("    \(firstElement(of: content) ?? "")")
        writer.line("    return")
        writer.line("}")
        writer.line("throw Unexpected(what: \"nothing came\")")
    }

    private func outputCase(_ response: ResponseModel, _ name: String) -> String {
        var payload: [String] = []
        if !response.status.isSingle { payload.append("statusCode: \(response.status.sampleCode)") }
        if response.content != .none { payload.append(sample(response.content).swift) }
        return SwiftIdentifier.quoted(name) + (payload.isEmpty ? "" : "(\(payload.joined(separator: ", ")))")
    }

    func sample(_ content: ResponseModel.Content) -> SampleValue {
        switch content {
        case .none: SampleValue(swift: "()", json: "")
        case .json(let type): values.value(type)
        case .text: SampleValue(swift: "\"text\"", json: "text")
        case .binary: SampleValue(swift: "Data(\"sample\".utf8)", json: "sample")
        case .sequence(let type, let hasSeparators):
            SampleValue(swift: "", json: "\(hasSeparators ? "\u{1E}" : "")\(values.value(type).json)\n")
        case .events(let type):
            SampleValue(swift: "", json: "data: \(type.map { values.value($0).json } ?? "text")\n\n")
        }
    }

    /// Returns a value for each parameter of a request's initializer, in order.
    private func arguments(_ item: OperationEmitter.Item) -> [(name: String, value: String)] {
        var samples: [String: String] = [:]
        for (parameter, name) in zip(item.model.parameters, item.names.parameters) {
            samples[name] = values.value(parameter.type).swift
        }
        switch item.model.body?.kind {
        case .multipart(let parts):
            for (part, name) in zip(parts, item.names.parts) {
                switch part.kind {
                case .file: samples[name] = "FormFile(Data(\"sample\".utf8))"
                case .files: samples[name] = "[FormFile(Data(\"sample\".utf8))]"
                case .value(let type): samples[name] = values.value(type).swift
                }
            }
        case .json(let type), .form(let type, _): samples[item.names.payload] = values.value(type).swift
        case .text: samples[item.names.payload] = "\"text\""
        case .raw: samples[item.names.payload] = ".bytes(Data(\"sample\".utf8))"
        case nil: break
        }
        let fields = operations.fields(item)
        let ordered = fields.filter(\.isRequired) + fields.filter { !$0.isRequired }
        return ordered.map { ($0.name, samples[$0.name] ?? "nil") }
    }
}

extension ResponseModel.Status {
    /// A code to which the status applies.
    var sampleCode: Int {
        switch self {
        case .code(let code): code
        case .range(let digit): digit * 100
        case .other: 200
        }
    }
}
#endif
