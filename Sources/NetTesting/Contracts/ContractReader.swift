internal import HTTPTypes
internal import NetCore
internal import NetRecord

/// Reads a contract's file strictly: anything unknown is an error.
struct ContractReader {
    let file: String
    let reader: DocumentReader

    private static let advice = "correct it there, or restore the file from version control"

    init(file: String) {
        self.file = file
        reader = DocumentReader(file: file, advice: Self.advice)
    }

    /// Throws if the existing file isn't a contract.
    func checkReplaceable() throws(RecordFileError) {
        guard RecordFile(file).exists else { return }
        do {
            _ = try contract()
        } catch {
            var error = error
            error.problem += ", so it is not overwritten"
            throw error
        }
    }

    func contract() throws(RecordFileError) -> Contract {
        let document = try RecordFile(file).read(advice: Self.advice)
        try checkVersion(reader.member("version", of: document.node))
        try only(["version", "name", "strict", "ordered", "wildcard", "expectations"], in: document.node)
        var contract = Contract(try reader.string(reader.member("name", of: document.node)))
        contract.isStrict = try bool("strict", of: document.node) ?? false
        contract.isOrdered = try bool("ordered", of: document.node) ?? false
        contract.wildcard = try string("wildcard", of: document.node) ?? contract.wildcard
        var ids: Set<String> = []
        let nodes = try reader.array(reader.member("expectations", of: document.node))
        for (index, node) in nodes.enumerated() {
            let expectation = try expectation(node, document.value["expectations"]?[index] ?? .null)
            guard ids.insert(expectation.id).inserted else {
                throw reader.problem(try reader.member("id", of: node), "another expectation already has this id")
            }
            contract.expectations.append(expectation)
        }
        return contract
    }

    private func checkVersion(_ node: JSONNode) throws(RecordFileError) {
        let number = try reader.number(node)
        if number > Double(Contract.version) {
            let message =
                "the file has a newer version than \(Contract.version), the newest that this library reads"
            throw reader.problem(node, message, advice: "update the library")
        }
        if number != Double(Contract.version) { throw reader.problem(node, "there is no such version") }
    }

    private func expectation(_ node: JSONNode, _ value: JSONValue) throws(RecordFileError) -> Contract.Expectation {
        try only(
            [
                "id", "method", "path", "query", "fields", "body", "metadata", "times", "response", "failure",
                "example",
            ], in: node)
        let id = try reader.string(reader.member("id", of: node))
        var expectation = Contract.Expectation(
            id, try method(node["method"]), try path(node["path"]), try outcome(node, value))
        for (name, rule) in try members(node["query"]) { expectation.query[name] = try valueRule(rule) }
        expectation.headers = try headerRules(node["fields"])
        if let body = node["body"] { expectation.body = try bodyRule(body, value["body"] ?? .null) }
        if let metadata = node["metadata"] {
            try only(["name", "operationID", "tags"], in: metadata)
            expectation.metadata.name = try string("name", of: metadata)
            expectation.metadata.operationID = try string("operationID", of: metadata)
            for tag in try metadata["tags"].map(reader.array) ?? [] {
                expectation.metadata.tags.append(try reader.string(tag))
            }
        }
        if let times = node["times"] { expectation.times = try whole(times, 1...1_000_000) }
        for (name, text) in try members(node["example"]) { expectation.example[name] = try reader.string(text) }
        return expectation
    }

    private func method(_ node: JSONNode?) throws(RecordFileError) -> HTTPRequest.Method? {
        guard let node else { return nil }
        guard let method = HTTPRequest.Method(try reader.string(node)) else {
            throw reader.problem(node, "this isn't an HTTP method")
        }
        return method
    }

    private func path(_ node: JSONNode?) throws(RecordFileError) -> PathTemplate? {
        guard let node else { return nil }
        let text = try reader.string(node)
        guard text == "*" || text.hasPrefix("/"), !text.contains(where: { $0 == "?" || $0 == "#" || $0.isWhitespace })
        else { throw reader.problem(node, "expected a path such as /users/{id}, without a query") }
        for segment in text.split(separator: "/") {
            let braces = segment.filter { $0 == "{" || $0 == "}" }
            guard braces.isEmpty || braces == "{}" else {
                throw reader.problem(node, "a segment may hold one {name} and no other braces")
            }
        }
        return PathTemplate(text)
    }

    // MARK: The outcome

    private func outcome(_ node: JSONNode, _ value: JSONValue) throws(RecordFileError) -> Contract.Outcome {
        switch (node["response"], node["failure"]) {
        case (let response?, nil): return .response(try self.response(response, value["response"] ?? .null))
        case (nil, let failure?):
            try only(["code", "message"], in: failure)
            let code = NetError.Code(rawValue: try reader.string(reader.member("code", of: failure)))
            return .failure(Contract.Failure(code, message: try string("message", of: failure) ?? ""))
        case (nil, nil): throw reader.problem(node, "\"response\" or \"failure\" is missing")
        case (_, let failure?): throw reader.problem(failure, "\"response\" and \"failure\" can't be combined")
        }
    }

    private func response(_ node: JSONNode, _ value: JSONValue) throws(RecordFileError) -> Contract.Response {
        try only(["status", "fields", "body", "checks"], in: node)
        let code = try whole(reader.member("status", of: node), 200...999)
        var response = Contract.Response(status: .init(code: code))
        for line in try node["fields"].map(reader.array) ?? [] { response.headers.append(try field(line)) }
        if let body = node["body"] { response.body = try example(body, value["body"] ?? .null) }
        if let checks = node["checks"] {
            try only(["fields", "body"], in: checks)
            response.headerRules = try headerRules(checks["fields"])
            response.bodyRule = try checks["body"].map { body throws(RecordFileError) in
                try bodyRule(body, value["checks"]?["body"] ?? .null)
            }
        }
        return response
    }

    private func field(_ node: JSONNode) throws(RecordFileError) -> HTTPField {
        let text = try reader.string(node)
        guard let colon = text.firstIndex(of: ":"), let name = HTTPField.Name(String(text[..<colon])),
            HTTPField.isValidValue(text[text.index(after: colon)...].trimmed)
        else { throw reader.problem(node, "expected a header such as \"Content-Type: text/plain\"") }
        return HTTPField(name: name, value: text[text.index(after: colon)...].trimmed)
    }

    /// The body of the response that is sent.
    private func example(_ node: JSONNode, _ value: JSONValue) throws(RecordFileError) -> Bytes {
        try only(["json", "text", "base64"], in: node)
        if node["text"] == nil, node["base64"] == nil, let json = value["json"] {
            return json.sortedBytes
        }
        return try content(node)
    }
}
