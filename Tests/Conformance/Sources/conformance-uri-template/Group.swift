import ConformanceSupport
import Foundation
import NetCore

/// Templates that share their variables.
struct Group: Decodable {
    let variables: Members
    let testcases: [[JSONValue]]

    struct Malformed: Error {}

    func results(in name: String) throws -> [CaseResult] {
        let variables = try variables.values()
        return try testcases.enumerated().map { index, pair in
            guard pair.count == 2, let template = pair[0].stringValue else { throw Malformed() }
            return CaseResult(
                id: "\(name)/\(index) \(template)", problem: problem(template, variables, expected: pair[1]))
        }
    }

    /// `expected` is a text, a list of equally acceptable texts, or false for an error.
    private func problem(
        _ template: String, _ variables: [String: URITemplate.Value?], expected: JSONValue
    ) -> String? {
        let text: String
        do throws(URITemplateError) {
            text = try URITemplate(template).expand(variables)
        } catch {
            return expected == .bool(false) ? nil : "threw \(error)"
        }
        if expected == .bool(false) { return "gave \"\(text)\", expected an error" }
        let allowed = expected.arrayValue ?? [expected]
        return allowed.contains(.string(text)) ? nil : "gave \"\(text)\", expected \(allowed)"
    }
}

/// An object with its members in any order, because the order of a JSON object isn't significant.
struct Members: Decodable {
    let object: [String: JSONValue]

    init(from decoder: any Decoder) throws {
        object = try [String: JSONValue](from: decoder)
    }

    func values() throws -> [String: URITemplate.Value?] {
        try object.mapValues { value in
            switch value {
            case .null: nil
            case .array(let elements): .list(try elements.filter { !$0.isNull }.map(text))
            case .object(let members):
                .pairs(try members.sorted { $0.key < $1.key }.map { ($0.key, try text($0.value)) })
            default: .text(try text(value))
            }
        }
    }

    private func text(_ value: JSONValue) throws -> String {
        switch value {
        case .string(let text): text
        case .bool(let value): value.description
        case .integer(let value): value.description
        case .unsigned(let value): value.description
        case .number(let value): value.description
        case .decimal(let value): value.description
        case .null, .array, .object: throw Group.Malformed()
        }
    }
}
