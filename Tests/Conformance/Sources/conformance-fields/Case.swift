import HTTPTypes
import NetCore

/// One field: its lines and what they say, or with no lines what is to be written.
struct Case: Decodable {
    let name: String
    let raw: [String]?
    let header_type: String
    let expected: JSONValue?
    let must_fail: Bool?
    let can_fail: Bool?
    let canonical: [String]?

    /// What is wrong; nil where all is well.
    func problem() throws -> String? {
        switch header_type {
        case "item": problem(StructuredField.Item.self, try expected.map(Expected.item))
        case "list": problem(StructuredField.List.self, try expected.map(Expected.list))
        case "dictionary": problem(StructuredField.Dictionary.self, try expected.map(Expected.dictionary))
        default: throw Malformed()
        }
    }

    private func problem<Value: Field>(_ type: Value.Type, _ expected: Value?) -> String? {
        guard let raw else { return writingProblem(expected) }
        let line = raw.joined(separator: ", ")
        let value: Value
        do throws(StructuredFieldError) {
            value = try Value(parsing: line)
        } catch {
            guard let position = error.position, (0...line.utf8.count).contains(position) else {
                return "the error has no place: \(error)"
            }
            return must_fail == true || can_fail == true ? nil : "\(line): threw \(error)"
        }
        if must_fail == true { return "\(line): gave \(value), expected an error" }
        if let expected, value.simplified != expected.simplified { return "\(line): gave \(value), expected \(expected)" }
        return writingProblem(value)
    }

    private func writingProblem<Value: Field>(_ value: Value?) -> String? {
        guard let value else { return "the case says not what is written" }
        let wanted = (canonical ?? raw ?? []).joined(separator: ", ")
        do throws(StructuredFieldError) {
            let text = try value.serialized()
            if must_fail == true { return "wrote \(text), expected an error" }
            return text == wanted ? nil : "wrote \(text), expected \(wanted)"
        } catch {
            return must_fail == true ? nil : "threw \(error)"
        }
    }
}

struct Malformed: Error {}
