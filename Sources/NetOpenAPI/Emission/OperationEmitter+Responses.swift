extension OperationEmitter {
    /// The result of a call.
    enum Outcome: Hashable {
        case nothing
        /// The same content for all statuses.
        case single(ResponseModel.Content)
        /// An enumeration with a case for each response.
        case several
    }

    func success(_ operation: OperationModel) -> Outcome {
        let contents = Set(operation.successes.map(\.content))
        guard let first = contents.first else { return .nothing }
        if contents.count == 1 { return first == .none ? .nothing : .single(first) }
        return .several
    }

    func failure(_ operation: OperationModel) -> Outcome? {
        guard let first = operation.failures.first?.content else { return nil }
        return operation.hasFailureCases ? .several : .single(first)
    }

    func type(_ content: ResponseModel.Content) -> String {
        switch content {
        case .none: "Void"
        case .json(let type): context.text(type)
        case .text: "String"
        case .binary: "Data"
        case .events(let type): "ServerSentEvents<\(type.map(context.text) ?? "ServerSentEvent")>"
        case .sequence(let type, _): "JSONLines<\(context.text(type))>"
        }
    }

    private func serializer(_ content: ResponseModel.Content) -> String {
        switch content {
        case .none: "discard"
        case .json: "json(coding: .standard)"
        case .text(let charset): charset.map { "string(fallback: .\($0))" } ?? "string"
        case .binary: "data"
        case .events(let type?):
            // Streams of JSON commonly end with this text, which isn't JSON itself.
            "serverSentEvents(of: \(context.text(type)).self, coding: .standard, until: \"[DONE]\")"
        case .events(nil): "serverSentEvents"
        case .sequence(let type, let hasRecordSeparators):
            "jsonLines(of: \(context.text(type)).self, coding: .standard\(hasRecordSeparators ? ", framing: .recordSeparators" : ""))"
        }
    }

    func emitResultTypes(_ item: Item, _ writer: inout SourceWriter) {
        var enums: [(name: String, responses: [ResponseModel], cases: [String])] = []
        switch success(item.model) {
        case .nothing: writer.line("\(access)typealias Response = Void")
        case .single(let content):
            // A schema that is declared inline is the nested type `Response` itself.
            let text = type(content)
            if text != "\(item.names.type).Response" { writer.line("\(access)typealias Response = \(text)") }
        case .several:
            writer.line("\(access)typealias Response = Output")
            enums.append(("Output", item.model.successes, item.names.successes))
        }
        switch failure(item.model) {
        case nil, .nothing?: break
        case .single(let content)?: writer.line("\(access)typealias Failure = \(type(content))")
        case .several?:
            if let shared = sharedFailure(item) {
                writer.line("\(access)typealias Failure = \(shared)")
            } else {
                enums.append(("Failure", item.model.failures, item.names.failures))
            }
        }
        for declared in enums {
            writer.line()
            emitCases(declared.name, declared.responses, declared.cases, &writer)
        }
        writer.line()
    }

    /// Returns the name of the failures that the operation shares with others.
    func sharedFailure(_ item: Item) -> String? {
        context.names.failures.groupOf[item.index].map { context.names.failures.groups[$0].name }
    }

    /// Writes the failures that several operations share.
    func emitShared(_ group: SharedFailures.Group, _ writer: inout SourceWriter) {
        emitCases(group.name, group.responses, SwiftNames.caseNames(group.responses), &writer)
    }

    /// Writes an enumeration with a case for each response, and its decoding.
    private func emitCases(
        _ name: String, _ responses: [ResponseModel], _ cases: [String], _ writer: inout SourceWriter
    ) {
        let conformances = responses.allSatisfy { $0.content.isCollected } ? "Hashable, Sendable" : "Sendable"
        let indirect = isLarge(responses) ? "indirect " : ""
        writer.block("\(context.typeAccess)\(indirect)enum \(name): \(conformances)") { writer in
            for (response, name) in zip(responses, cases) {
                if let text = response.description, !isSelfEvident(text, name) {
                    models.document(Documentation(description: text), &writer)
                }
                var payload: [String] = []
                if !response.status.isSingle { payload.append("statusCode: Int") }
                if response.content != .none { payload.append(type(response.content)) }
                let suffix = payload.isEmpty ? "" : "(\(payload.joined(separator: ", ")))"
                writer.line("case \(SwiftIdentifier.quoted(name))\(suffix)")
            }
            let accept = accept(responses).map { "accept: \(SwiftLiteral.string($0))" } ?? ""
            // Streams can be read while they arrive only if the choice doesn't wait for the body.
            let choice = responses.allSatisfy { $0.content.isCollected } ? "byStatus" : "byArrivingStatus"
            writer.block("static let serializer: ResponseSerializer<Self> = .\(choice)(\(accept))", close: "}") {
                writer in
                emitByStatus(responses, cases, &writer)
            }
        }
    }

    /// Returns true if the values should be stored outside the enumeration, as ``SizePass`` does with unions.
    private func isLarge(_ responses: [ResponseModel]) -> Bool {
        let weights = responses.map { response -> Int in
            guard case .json(let type) = response.content, case .named(let id) = context.model.unaliased(type),
                context.model.weights.indices.contains(id.index)
            else { return 1 }
            return context.model.weights[id.index]
        }
        return weights.reduce(0, +) > SizePass.limit
    }

    /// Returns true if a description adds nothing to the name of its case.
    private func isSelfEvident(_ text: String, _ name: String) -> Bool {
        text.isEmpty || SwiftIdentifier.lowerCamel(text) == name
    }

    func emitSerializers(_ item: Item, _ writer: inout SourceWriter) {
        let success =
            switch success(item.model) {
            case .nothing: ".discard"
            case .single(let content): "." + serializer(content)
            case .several: "Output.serializer"
            }
        writer.line("\(access)var serializer: ResponseSerializer<Response> { \(success) }")
        let expression: String
        switch failure(item.model) {
        case nil, .nothing?: return
        case .several?: expression = "Failure.serializer"
        case .single(let content)?: expression = ".\(serializer(content))\(statuses(item.model.failures))"
        }
        writer.line("\(access)var failureSerializer: ResponseSerializer<Failure>? { \(expression) }")
    }

    /// Returns code that restricts a serializer to the declared statuses; empty if `default` is among them.
    private func statuses(_ responses: [ResponseModel]) -> String {
        if responses.contains(where: { $0.status == .other }) { return "" }
        if responses.allSatisfy({ $0.status.isSingle }) {
            return ".on(\(responses.map(\.status.pattern).joined(separator: ", ")))"
        }
        let parts = responses.map { response in
            response.status.isSingle ? "$0 == \(response.status.pattern)" : "(\(response.status.pattern)).contains($0)"
        }
        return ".on { \(parts.joined(separator: " || ")) }"
    }

    private func emitByStatus(_ responses: [ResponseModel], _ cases: [String], _ writer: inout SourceWriter) {
        writer.line("status in")
        writer.line("switch status {")
        let pairs = Array(zip(responses, cases))
        for (place, (response, _)) in pairs.enumerated() where response.variant == nil {
            let pattern = response.status == .other ? "default" : "case \(response.status.pattern)"
            let group = pairs[place...].prefix { $0.0.status == response.status }
            guard group.count > 1 else {
                writer.line("\(pattern): \(mapped(response, pairs[place].1))")
                continue
            }
            writer.line("\(pattern):")
            writer.line("    .byMediaType([")
            for (response, caseName) in group {
                for type in [response.contentType].compactMap({ $0 }) + response.otherTypes {
                    writer.line("        (\(SwiftLiteral.string(type)), \(mapped(response, caseName))),")
                }
            }
            writer.line("    ])")
        }
        if !responses.contains(where: { $0.status == .other }) { writer.line("default: nil") }
        writer.line("}")
    }

    private func mapped(_ response: ResponseModel, _ caseName: String) -> String {
        var arguments: [String] = []
        if !response.status.isSingle { arguments.append("statusCode: status") }
        if response.content != .none { arguments.append("$0") }
        let value = "Self.\(caseName)\(arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")"
        let closure = response.content == .none ? "{ _ in \(value) }" : "{ \(value) }"
        return "ResponseSerializer<\(type(response.content))>.\(serializer(response.content)).map \(closure)"
    }
}

extension ResponseModel.Content {
    /// True if the content is returned only when it is complete.
    var isCollected: Bool {
        switch self {
        case .events, .sequence: false
        case .none, .json, .text, .binary: true
        }
    }
}

extension ResponseModel.Status {
    /// True if it applies to only one status code.
    var isSingle: Bool {
        if case .code = self { true } else { false }
    }

    /// The pattern in a `switch` over a status code.
    var pattern: String {
        switch self {
        case .code(let code): String(code)
        case .range(let digit): "\(digit)00...\(digit)99"
        case .other: "_"
        }
    }
}
