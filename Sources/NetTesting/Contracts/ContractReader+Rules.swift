internal import HTTPTypes
internal import NetCore
internal import NetRecord

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension ContractReader {
    func valueRule(_ node: JSONNode) throws(RecordFileError) -> Contract.ValueRule {
        if let text = node.string { return .exact(text) }
        if node.array != nil { return .exactly(try strings(node)) }
        try only(["is", "contains", "glob", "regex"], in: node)
        let members = node.members ?? []
        guard members.count == 1, let member = members.first else {
            throw reader.problem(node, "expected one of \"is\", \"contains\", \"glob\" and \"regex\"")
        }
        let text = try reader.string(member.value)
        switch (member.name, text) {
        case ("contains", _): return .contains(text)
        case ("glob", _): return .glob(text)
        case ("regex", _):
            guard Pattern(text) != nil else {
                throw reader.problem(member.value, "\"\(text)\" isn't a regular expression, or is too long")
            }
            return .regex(text)
        case (_, "present"): return .present
        case (_, "absent"): return .absent
        default: throw reader.problem(member.value, "expected \"present\" or \"absent\"")
        }
    }

    func headerRules(_ node: JSONNode?) throws(RecordFileError) -> [HTTPField.Name: Contract.ValueRule] {
        var rules: [HTTPField.Name: Contract.ValueRule] = [:]
        for (text, rule) in try members(node) {
            guard let name = HTTPField.Name(text) else { throw reader.problem(rule, "\"\(text)\" isn't a header name") }
            rules[name] = try valueRule(rule)
        }
        return rules
    }

    func bodyRule(_ node: JSONNode, _ value: JSONValue) throws(RecordFileError) -> Contract.BodyRule {
        try only(["is", "text", "base64", "json", "paths", "form", "parts"], in: node)
        var rules: [Contract.BodyRule] = []
        if let kind = node["is"] { rules.append(try self.kind(kind)) }
        if let text = node["text"] { rules.append(.text(try joined(text))) }
        if node["base64"] != nil { rules.append(.bytes(try content(node))) }
        if let json = value["json"] { rules.append(.json(json)) }
        if let paths = node["paths"] { rules.append(.paths(try self.paths(paths))) }
        if let form = node["form"] {
            var items: [String: Contract.ValueRule] = [:]
            for (name, rule) in try members(form) { items[name] = try valueRule(rule) }
            rules.append(.form(items))
        }
        if let parts = node["parts"] { rules.append(.multipart(try self.parts(parts, value["parts"] ?? .null))) }
        guard let first = rules.first else { throw reader.problem(node, "the body has no rules; omit it") }
        return rules.count == 1 ? first : .all(rules)
    }

    private func kind(_ node: JSONNode) throws(RecordFileError) -> Contract.BodyRule {
        switch try reader.string(node) {
        case "anything": .anything
        case "absent": .absent
        case "present": .present
        default: throw reader.problem(node, "expected \"anything\", \"absent\" or \"present\"")
        }
    }

    private func paths(_ node: JSONNode) throws(RecordFileError) -> [JSONPath: Contract.ValueRule] {
        var paths: [JSONPath: Contract.ValueRule] = [:]
        for (text, rule) in try members(node) {
            let path = JSONPath(text)
            if let problem = path.problem {
                throw reader.problem(rule, "\"\(text)\" isn't a JSON path: \(problem)")
            }
            paths[path] = try valueRule(rule)
        }
        return paths
    }

    private func parts(_ node: JSONNode, _ value: JSONValue) throws(RecordFileError) -> [Contract.PartRule] {
        var parts: [Contract.PartRule] = []
        for (index, node) in try reader.array(node).enumerated() {
            try only(["name", "filename", "contentType", "body"], in: node)
            var part = Contract.PartRule(try reader.string(reader.member("name", of: node)))
            if let rule = node["filename"] { part.filename = try valueRule(rule) }
            if let rule = node["contentType"] { part.contentType = try valueRule(rule) }
            if let body = node["body"] { part.body = try bodyRule(body, value[index]?["body"] ?? .null) }
            parts.append(part)
        }
        return parts
    }

    /// Text, as one string or as lines, or base64.
    func content(_ node: JSONNode) throws(RecordFileError) -> Bytes {
        switch (node["text"], node["base64"]) {
        case (let text?, nil): return Bytes(try joined(text).utf8)
        case (nil, let base64?):
            guard let data = Data(base64Encoded: try joined(base64)) else {
                throw reader.problem(base64, "this isn't valid base64 (RFC 4648 section 4)")
            }
            return Bytes(data)
        case (nil, nil): throw reader.problem(node, "expected \"json\", \"text\" or \"base64\"")
        case (_?, let base64?): throw reader.problem(base64, "\"text\" and \"base64\" can't be combined")
        }
    }

    // MARK: Pieces

    /// Throws for unknown or duplicate members.
    func only(_ names: Set<String>, in node: JSONNode) throws(RecordFileError) {
        try reader.onlyMembers(names, in: node)
        _ = try members(node)
    }

    /// The members with their names; throws for duplicates. Empty if the node is nil.
    func members(_ node: JSONNode?) throws(RecordFileError) -> [(String, JSONNode)] {
        guard let node else { return [] }
        guard let members = node.members else {
            throw reader.problem(node, "expected an object, found \(node.kindName)")
        }
        var names: Set<String> = []
        for member in members where !names.insert(member.name).inserted {
            throw reader.problem(member.value, "\"\(member.name)\" appears twice")
        }
        return members.map { ($0.name, $0.value) }
    }

    func string(_ name: String, of node: JSONNode) throws(RecordFileError) -> String? {
        guard let member = node[name] else { return nil }
        return try reader.string(member)
    }

    func bool(_ name: String, of node: JSONNode) throws(RecordFileError) -> Bool? {
        guard let member = node[name] else { return nil }
        guard let value = member.bool else {
            throw reader.problem(member, "expected true or false, found \(member.kindName)")
        }
        return value
    }

    func whole(_ node: JSONNode, _ range: ClosedRange<Int>) throws(RecordFileError) -> Int {
        guard let number = Int(exactly: try reader.number(node)), range.contains(number) else {
            throw reader.problem(node, "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func strings(_ node: JSONNode) throws(RecordFileError) -> [String] {
        var strings: [String] = []
        for element in try reader.array(node) { strings.append(try reader.string(element)) }
        return strings
    }

    private func joined(_ node: JSONNode) throws(RecordFileError) -> String {
        if let text = node.string { return text }
        return try strings(node).joined()
    }
}
