/// Keywords read leniently: a value of the wrong kind counts as absent, with a warning.
struct KeywordReader {
    let log: DiagnosticLog

    /// A text; a number or truth value counts as what is written.
    func text(_ node: Node, _ key: String) -> String? {
        guard let value = node[key], !value.isNull else { return nil }
        guard let text = value.text else {
            log.warn("'\(key)' should be text; it is ignored", at: value)
            return nil
        }
        return text
    }

    /// A truth value; the texts `"true"` and `"false"` count, with a warning.
    func flag(_ node: Node, _ key: String) -> Bool? {
        guard let value = node[key], !value.isNull else { return nil }
        if let flag = value.bool { return flag }
        if let text = value.text?.lowercased(), text == "true" || text == "false" {
            log.warn("'\(key)' should be true or false without quotation marks", at: value)
            return text == "true"
        }
        log.warn("'\(key)' should be true or false; it is ignored", at: value)
        return nil
    }

    /// The elements of a list.
    func list(_ node: Node, _ key: String) -> [Node]? {
        guard let value = node[key], !value.isNull else { return nil }
        guard value.isArray else {
            log.warn("'\(key)' should be a list; it is ignored", at: value)
            return nil
        }
        return value.elements
    }

    /// The texts of a list.
    func texts(_ node: Node, _ key: String) -> [String] {
        (list(node, key) ?? []).compactMap { element in
            if element.text == nil { log.warn("'\(key)' should hold texts; this entry is ignored", at: element) }
            return element.text
        }
    }

    /// The members of an object, extensions left out.
    func members(_ node: Node, _ key: String) -> [Node.Member] {
        guard let value = node[key], !value.isNull else { return [] }
        guard value.isObject else {
            log.warn("'\(key)' should be an object; it is ignored", at: value)
            return []
        }
        return value.members
    }

    /// What the node says for people.
    func documentation(_ node: Node, summaryKey: String = "title") -> Documentation {
        Documentation(
            summary: text(node, summaryKey), description: text(node, "description"),
            isDeprecated: flag(node, "deprecated") ?? false)
    }
}
