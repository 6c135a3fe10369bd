/// A lenient reader of keywords: a value of the wrong kind counts as absent, with a warning.
struct KeywordReader {
    let log: DiagnosticLog

    /// Returns the text of a string; a number or Boolean is returned as written.
    func text(_ node: Node, _ key: String) -> String? {
        guard let value = node[key], !value.isNull else { return nil }
        guard let text = value.text else {
            log.warn("'\(key)' should be text; it is ignored", at: value)
            return nil
        }
        return text
    }

    /// Returns a Boolean; the strings `"true"` and `"false"` are accepted with a warning.
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

    /// Returns the elements of a list.
    func list(_ node: Node, _ key: String) -> [Node]? {
        guard let value = node[key], !value.isNull else { return nil }
        guard value.isArray else {
            log.warn("'\(key)' should be a list; it is ignored", at: value)
            return nil
        }
        return value.elements
    }

    /// Returns the strings of a list.
    func texts(_ node: Node, _ key: String) -> [String] {
        (list(node, key) ?? []).compactMap { element in
            if element.text == nil {
                log.warn("'\(key)' should contain only strings; this entry is ignored", at: element)
            }
            return element.text
        }
    }

    /// Returns the members of an object, including extensions.
    func members(_ node: Node, _ key: String) -> [Node.Member] {
        guard let value = node[key], !value.isNull else { return [] }
        guard value.isObject else {
            log.warn("'\(key)' should be an object; it is ignored", at: value)
            return []
        }
        return value.members
    }

    /// Returns the node's documentation.
    func documentation(_ node: Node, summaryKey: String = "title") -> Documentation {
        Documentation(
            summary: text(node, summaryKey), description: text(node, "description"),
            isDeprecated: flag(node, "deprecated") ?? false)
    }
}
