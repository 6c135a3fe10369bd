import NetCore

/// One header: its lines and their value, or without lines a value to write.
struct FieldCase: Decodable {
    let name: String
    let raw: [String]?
    let headerType: String
    let expected: JSONValue?
    let mustFail: Bool?
    let canFail: Bool?
    let canonical: [String]?

    private enum CodingKeys: String, CodingKey {
        case name, raw, expected, canonical
        case headerType = "header_type"
        case mustFail = "must_fail"
        case canFail = "can_fail"
    }

    /// Returns the problem; nil if everything is as expected.
    func problem() throws -> String? {
        switch headerType {
        case "item": problem(StructuredField.Item.self, try expected.map(ExpectedField.item))
        case "list": problem(StructuredField.List.self, try expected.map(ExpectedField.list))
        case "dictionary": problem(StructuredField.Dictionary.self, try expected.map(ExpectedField.dictionary))
        default: throw Malformed()
        }
    }

    private func problem<Value: FieldValue>(_ type: Value.Type, _ expected: Value?) -> String? {
        guard let raw else { return writingProblem(expected) }
        let line = raw.joined(separator: ", ")
        let value: Value
        do throws(StructuredFieldError) {
            value = try Value(parsing: line)
        } catch {
            guard let position = error.position, (0...line.utf8.count).contains(position) else {
                return "the error has no place: \(error)"
            }
            return mustFail == true || canFail == true ? nil : "\(line): threw \(error)"
        }
        if mustFail == true { return "\(line): gave \(value), expected an error" }
        if let expected, value.simplified != expected.simplified {
            return "\(line): gave \(value), expected \(expected)"
        }
        return writingProblem(value)
    }

    private func writingProblem<Value: FieldValue>(_ value: Value?) -> String? {
        guard let value else { return "the case says not what is written" }
        let wanted = (canonical ?? raw ?? []).joined(separator: ", ")
        do throws(StructuredFieldError) {
            let text = try value.serialized()
            if mustFail == true { return "wrote \(text), expected an error" }
            return text == wanted ? nil : "wrote \(text), expected \(wanted)"
        } catch {
            return mustFail == true ? nil : "threw \(error)"
        }
    }
}
