extension OperationEmitter {
    /// What a call brings back.
    enum Outcome: Hashable {
        case nothing
        /// One content for all statuses.
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
        let contents = Set(operation.failures.map(\.content))
        guard let first = contents.first else { return nil }
        if contents.count == 1, first != .none, first.isCollected { return .single(first) }
        return .several
    }

    func type(_ content: ResponseModel.Content) -> String {
        switch content {
        case .none: "Empty"
        case .json(let type): context.text(type)
        case .text: "String"
        case .binary: "Data"
        case .events(let type): "ServerSentEvents<\(type.map(context.text) ?? "ServerSentEvent")>"
        }
    }

    private func serializer(_ content: ResponseModel.Content) -> String {
        switch content {
        case .none: "discard"
        case .json: "json(coding: .standard)"
        case .text: "string"
        case .binary: "data"
        case .events(let type?):
            // Streams of JSON commonly end with this one text that is none.
            "serverSentEvents(of: \(context.text(type)).self, coding: .standard, until: \"[DONE]\")"
        case .events(nil): "serverSentEvents"
        }
    }

    func emitResultTypes(_ item: Item, _ writer: inout SourceWriter) {
        switch success(item.model) {
        case .nothing: writer.line("\(access)typealias Response = Empty")
        case .single(let content):
            // A schema declared in place is the nested type `Response` itself.
            let text = type(content)
            if text != "\(item.names.type).Response" { writer.line("\(access)typealias Response = \(text)") }
        case .several:
            writer.line("\(access)typealias Response = Output")
            writer.line()
            emitEnum("Output", "The responses that are a success.", item.model.successes, item.names.successes, &writer)
        }
        switch failure(item.model) {
        case nil: break
        case .several?:
            writer.line()
            emitEnum("Failure", "The responses that are a failure.", item.model.failures, item.names.failures, &writer)
        case .single(let content)?: writer.line("\(access)typealias Failure = \(type(content))")
        case .nothing?: writer.line("\(access)typealias Failure = Empty")
        }
        writer.line()
    }

    private func emitEnum(
        _ name: String, _ summary: String, _ responses: [ResponseModel], _ cases: [String], _ writer: inout SourceWriter
    ) {
        writer.documentation([summary])
        writer.block(
            "\(access)enum \(name): Sendable\(responses.allSatisfy { $0.content.isCollected } ? ", Hashable" : "")"
        ) { writer in
            for (response, name) in zip(responses, cases) {
                let documentation = Documentation(description: response.description)
                models.document(documentation, fallback: response.status.words.capitalizedFirst + ".", &writer)
                var payload: [String] = []
                if !response.status.isSingle { payload.append("statusCode: Int") }
                if response.content != .none { payload.append(type(response.content)) }
                let suffix = payload.isEmpty ? "" : "(\(payload.joined(separator: ", ")))"
                writer.line("case \(SwiftIdentifier.quoted(name))\(suffix)")
            }
        }
    }

    func emitSerializers(_ item: Item, _ writer: inout SourceWriter) {
        writer.line()
        writer.block("\(access)var serializer: ResponseSerializer<Response>") { writer in
            switch success(item.model) {
            case .nothing: writer.line(".discard")
            case .single(let content): writer.line("." + serializer(content))
            case .several: emitByStatus("Output", item.model.successes, item.names.successes, &writer)
            }
        }
        guard let failure = failure(item.model) else { return }
        writer.line()
        writer.block("\(access)var failureSerializer: ResponseSerializer<Failure>?") { writer in
            switch failure {
            case .nothing: writer.line(".discard")
            case .several: emitByStatus("Failure", item.model.failures, item.names.failures, &writer)
            case .single(let content):
                writer.line(".byStatus { status in")
                writer.line("    switch status {")
                let patterns = item.model.failures.filter { $0.status != .other }.map(\.status.pattern)
                let isForAll = item.model.failures.contains { $0.status == .other }
                let call = "ResponseSerializer<Failure>.\(serializer(content))"
                if isForAll {
                    writer.line("    default: \(call)")
                } else {
                    writer.line("    case \(patterns.joined(separator: ", ")): \(call)")
                    writer.line("    default: nil")
                }
                writer.line("    }")
                writer.line("}")
            }
        }
    }

    private func emitByStatus(
        _ name: String, _ responses: [ResponseModel], _ cases: [String], _ writer: inout SourceWriter
    ) {
        writer.line(".byStatus { status in")
        writer.line("    switch status {")
        for (response, caseName) in zip(responses, cases) where response.status != .other {
            writer.line("    case \(response.status.pattern): \(mapped(response, name, caseName))")
        }
        if let place = responses.firstIndex(where: { $0.status == .other }) {
            writer.line("    default: \(mapped(responses[place], name, cases[place]))")
        } else {
            writer.line("    default: nil")
        }
        writer.line("    }")
        writer.line("}")
    }

    private func mapped(_ response: ResponseModel, _ name: String, _ caseName: String) -> String {
        var arguments: [String] = []
        if !response.status.isSingle { arguments.append("statusCode: status") }
        if response.content != .none { arguments.append("$0") }
        let value = "\(name).\(caseName)\(arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")"
        let closure = response.content == .none ? "{ _ in \(value) }" : "{ \(value) }"
        return "ResponseSerializer<\(type(response.content))>.\(serializer(response.content)).map \(closure)"
    }
}

extension ResponseModel.Content {
    /// Whether it is complete when it is handed out.
    var isCollected: Bool {
        if case .events = self { false } else { true }
    }
}

extension ResponseModel.Status {
    /// Whether it is for one code alone.
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
