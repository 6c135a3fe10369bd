import NetCore

/// Templates that share their variables.
struct TemplateGroup: Decodable {
    let variables: TemplateVariables
    let testcases: [[JSONValue]]

    /// Returns the result of each template; throws if one isn't a template with its expansion.
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
