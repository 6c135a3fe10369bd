package import NetCore

/// Reads required values from a document; the errors contain the place and the problem.
package struct DocumentReader: Sendable {
    package let file: String
    /// Advice for a document that isn't valid.
    package let advice: String

    package init(file: String, advice: String) {
        self.file = file
        self.advice = advice
    }

    package func problem(_ node: JSONNode, _ text: String, advice: String? = nil) -> RecordFileError {
        RecordFileError(
            file: file, position: node.position, place: node.place, problem: text, advice: advice ?? self.advice)
    }

    package func member(_ name: String, of node: JSONNode) throws(RecordFileError) -> JSONNode {
        guard node.members != nil else { throw problem(node, "expected an object, found \(node.kindName)") }
        guard let member = node[name] else { throw problem(node, "the member \"\(name)\" is missing") }
        return member
    }

    package func string(_ node: JSONNode) throws(RecordFileError) -> String {
        guard let string = node.string else { throw problem(node, "expected text, found \(node.kindName)") }
        return string
    }

    package func number(_ node: JSONNode) throws(RecordFileError) -> Double {
        guard let number = node.number else { throw problem(node, "expected a number, found \(node.kindName)") }
        return number
    }

    func bool(_ node: JSONNode) throws(RecordFileError) -> Bool {
        guard let bool = node.bool else { throw problem(node, "expected true or false, found \(node.kindName)") }
        return bool
    }

    package func array(_ node: JSONNode) throws(RecordFileError) -> [JSONNode] {
        guard let array = node.array else { throw problem(node, "expected a list, found \(node.kindName)") }
        return array
    }

    /// Reads milliseconds, up to about 300 years.
    package func duration(_ node: JSONNode) throws(RecordFileError) -> Duration {
        let milliseconds = try number(node)
        guard milliseconds >= 0, milliseconds < 1e13 else {
            throw problem(node, "expected milliseconds, zero or more")
        }
        return .microseconds(Int64((milliseconds * 1000).rounded()))
    }

    /// Throws for unknown and duplicate members: a misspelled name must not be taken for an absent member.
    package func onlyMembers(_ names: Set<String>, in node: JSONNode) throws(RecordFileError) {
        guard let members = node.members else { throw problem(node, "expected an object, found \(node.kindName)") }
        var seen: Set<String> = []
        for member in members {
            guard names.contains(member.name) else {
                throw RecordFileError(
                    file: file, position: member.position, place: node.place,
                    problem: "unknown member \"\(member.name)\"",
                    advice: "correct its name; the known members are \(names.sorted().joined(separator: ", "))")
            }
            guard seen.insert(member.name).inserted else {
                throw RecordFileError(
                    file: file, position: member.position, place: node.place,
                    problem: "\"\(member.name)\" appears twice", advice: "remove one of them")
            }
        }
    }

    /// Throws if more than one of the mutually exclusive members is present; the error is at the second one.
    func onlyOne(_ names: [String], in node: JSONNode) throws(RecordFileError) {
        let found = names.filter { node[$0] != nil }
        guard found.count > 1, let second = node[found[1]] else { return }
        throw problem(second, "\(found.map { "\"\($0)\"" }.joined(separator: " and ")) can't be combined")
    }
}
