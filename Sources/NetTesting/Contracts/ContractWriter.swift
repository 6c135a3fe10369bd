internal import HTTPTypes
internal import NetCore
internal import NetRecord

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Encodes a contract as the text of its file.
struct ContractWriter {
    let contract: Contract

    func text() throws(NetError) -> String {
        var members: [String: JSONValue] = [
            "version": .integer(Int64(Contract.version)), "name": .string(contract.name),
        ]
        if contract.isStrict { members["strict"] = true }
        if contract.isOrdered { members["ordered"] = true }
        if contract.wildcard != Contract("").wildcard { members["wildcard"] = .string(contract.wildcard) }
        var expectations: [JSONValue] = []
        for expectation in contract.expectations { expectations.append(try value(expectation)) }
        members["expectations"] = .array(expectations)
        return RecordFile.text(.object(members))
    }

    private func value(_ expectation: Contract.Expectation) throws(NetError) -> JSONValue {
        var value: [String: JSONValue] = ["id": .string(expectation.id)]
        value["method"] = expectation.method.map { .string($0.rawValue) }
        value["path"] = expectation.path.map { .string($0.description) }
        if !expectation.query.isEmpty { value["query"] = try rules(expectation.query, expectation) }
        if !expectation.headers.isEmpty { value["fields"] = try headerRules(expectation.headers, expectation) }
        let body = try members(expectation.body, expectation)
        if body != ["is": "anything"] { value["body"] = .object(body) }
        if expectation.metadata != .none { value["metadata"] = Self.metadata(expectation.metadata) }
        if expectation.times != 1 { value["times"] = .integer(Int64(expectation.times)) }
        if !expectation.example.isEmpty { value["example"] = .object(expectation.example.mapValues { .string($0) }) }
        switch expectation.outcome {
        case .response(let response): value["response"] = try self.response(response, expectation)
        case .failure(let failure):
            var members: [String: JSONValue] = ["code": .string(failure.code.rawValue)]
            if !failure.message.isEmpty { members["message"] = .string(failure.message) }
            value["failure"] = .object(members)
        }
        return .object(value)
    }

    private static func metadata(_ metadata: RequestMetadata) -> JSONValue {
        var members: [String: JSONValue] = [:]
        members["name"] = metadata.name.map { .string($0) }
        members["operationID"] = metadata.operationID.map { .string($0) }
        if !metadata.tags.isEmpty { members["tags"] = .array(metadata.tags.map { .string($0) }) }
        return .object(members)
    }

    private func response(
        _ response: Contract.Response, _ expectation: Contract.Expectation
    ) throws(NetError) -> JSONValue {
        var value: [String: JSONValue] = ["status": .integer(Int64(response.status.code))]
        if !response.headers.isEmpty {
            value["fields"] = .array(response.headers.map { .string("\($0.name.rawName): \($0.value)") })
        }
        if let json = response.body.json(type: response.headers[.contentType]) {
            value["body"] = ["json": json]
        } else if !response.body.isEmpty {
            value["body"] = .object(Self.content(response.body))
        }
        var checks: [String: JSONValue] = [:]
        if !response.headerRules.isEmpty { checks["fields"] = try headerRules(response.headerRules, expectation) }
        if let rule = response.bodyRule { checks["body"] = .object(try members(rule, expectation)) }
        if !checks.isEmpty { value["checks"] = .object(checks) }
        return .object(value)
    }

    // MARK: Rules

    private func rule(_ rule: Contract.ValueRule, _ expectation: Contract.Expectation) throws(NetError) -> JSONValue {
        switch rule {
        case .present: ["is": "present"]
        case .absent: ["is": "absent"]
        case .exact(let text): .string(text)
        case .exactly(let texts): .array(texts.map { .string($0) })
        case .contains(let text): ["contains": .string(text)]
        case .glob(let text): ["glob": .string(text)]
        case .regex(let text): ["regex": .string(text)]
        case .code(let matcher): throw Self.onlyInCode(matcher.description, expectation)
        }
    }

    private func rules(
        _ rules: [String: Contract.ValueRule], _ expectation: Contract.Expectation
    ) throws(NetError) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for (name, each) in rules { members[name] = try rule(each, expectation) }
        return .object(members)
    }

    private func headerRules(
        _ rules: [HTTPField.Name: Contract.ValueRule], _ expectation: Contract.Expectation
    ) throws(NetError) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for (name, each) in rules { members[name.rawName] = try rule(each, expectation) }
        return .object(members)
    }

    private func members(
        _ rule: Contract.BodyRule, _ expectation: Contract.Expectation
    ) throws(NetError) -> [String: JSONValue] {
        switch rule {
        case .anything: return ["is": "anything"]
        case .absent: return ["is": "absent"]
        case .present: return ["is": "present"]
        case .text(let text): return Self.content(Bytes(text.utf8))
        case .bytes(let bytes): return Self.content(bytes)
        case .json(let value): return ["json": value]
        case .paths(let paths):
            let named = Dictionary(uniqueKeysWithValues: paths.map { ($0.key.description, $0.value) })
            return ["paths": try rules(named, expectation)]
        case .form(let items): return ["form": try rules(items, expectation)]
        case .multipart(let parts):
            var values: [JSONValue] = []
            for part in parts { values.append(try value(part, expectation)) }
            return ["parts": .array(values)]
        case .all(let rules):
            var all: [String: JSONValue] = [:]
            for rule in rules {
                for (name, value) in try members(rule, expectation) where all.updateValue(value, forKey: name) != nil {
                    throw Self.unwritable(
                        "two rules of the kind \"\(name)\" for one body cannot be written; join them", expectation)
                }
            }
            return all
        case .code(let matcher): throw Self.onlyInCode(matcher.description, expectation)
        }
    }

    private func value(_ part: Contract.PartRule, _ expectation: Contract.Expectation) throws(NetError) -> JSONValue {
        var value: [String: JSONValue] = ["name": .string(part.name)]
        if let filename = part.filename { value["filename"] = try rule(filename, expectation) }
        if let type = part.contentType { value["contentType"] = try rule(type, expectation) }
        let body = try members(part.body, expectation)
        if body != ["is": "anything"] { value["body"] = .object(body) }
        return .object(value)
    }

    /// Text as lines, so that a diff shows the changed line; anything else as base64.
    private static func content(_ bytes: Bytes) -> [String: JSONValue] {
        guard let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains("\u{0}") else {
            return ["base64": .string(bytes.data.base64EncodedString())]
        }
        let lines = text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).map { String($0) ?? "" }
        guard lines.count > 1 else { return ["text": .string(text)] }
        let ended = lines.dropLast().map { $0 + "\n" } + (lines.last.map { $0.isEmpty ? [] : [$0] } ?? [])
        return ["text": .array(ended.map { .string($0) })]
    }

    private static func onlyInCode(_ description: String, _ expectation: Contract.Expectation) -> NetError {
        unwritable("the rule \"\(description)\" exists only in code; use another to write the contract", expectation)
    }

    private static func unwritable(_ problem: String, _ expectation: Contract.Expectation) -> NetError {
        NetError(.encoding, phase: .preparing, message: "expectation \(expectation.id): \(problem)")
    }
}
