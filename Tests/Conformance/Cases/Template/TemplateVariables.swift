import Foundation
import NetCore

/// The variables of templates, in any order, because the order of a JSON object isn't significant.
struct TemplateVariables: Decodable {
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
        case .null, .array, .object: throw Malformed()
        }
    }
}
