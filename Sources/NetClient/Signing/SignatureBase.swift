internal import HTTPTypes
internal import NetCore

/// The signature base, the text that is signed (RFC 9421 section 2.5).
struct SignatureBase {
    let request: PreparedRequest?
    /// The response; nil for the signature of a request.
    var response: ResponseHead?

    /// Returns the base and the value of `Signature-Input`. Throws `.invalidRequest` if the message lacks a component,
    /// or if a component occurs twice.
    func text(
        _ components: [MessageSignature.Component], parameters: StructuredField.Parameters
    ) throws(NetError) -> (base: Bytes, input: String) {
        var base = ""
        var seen = Set<String>()
        for component in components {
            let identifier = try Self.serialized { () throws(StructuredFieldError) in
                try component.item.serialized()
            }
            guard seen.insert(identifier).inserted else { throw Self.error("\(identifier) is listed twice") }
            let value = try value(of: component, identifier)
            // A line break would begin a component that isn't listed.
            guard value.utf8.allSatisfy({ $0 == 9 || $0 >= 32 && $0 < 127 }) else {
                throw Self.error("the value of \(identifier) has characters that can't be signed")
            }
            base += "\(identifier): \(value)\n"
        }
        let list = StructuredField.InnerList(components.map(\.item), parameters: parameters)
        let input = try Self.serialized { () throws(StructuredFieldError) in
            try StructuredField.List([.innerList(list)]).serialized()
        }
        base += "\"@signature-params\": \(input)"
        return (Bytes(base.utf8), input)
    }

    private func value(of component: MessageSignature.Component, _ identifier: String) throws(NetError) -> String {
        var parameters = component.item.parameters
        let isOfRequest = parameters["req"]?.boolean == true
        parameters["req"] = nil
        if response == nil || isOfRequest {
            guard let request, response != nil || !isOfRequest else {
                throw Self.error("\(identifier) needs the request of a response")
            }
            return try value(component.name, parameters, of: request, identifier)
        }
        guard let response else { return "" }
        if component.name == "@status", parameters.isEmpty { return "\(response.status.code)" }
        return try header(component.name, parameters, response.headers, length: nil, identifier)
    }

    private func value(
        _ name: String, _ parameters: StructuredField.Parameters, of request: PreparedRequest, _ identifier: String
    ) throws(NetError) -> String {
        let head = request.head
        let target = head.path ?? "/"
        let query = target.firstIndex(of: "?").map { target[$0...] }
        if name == "@query-param", let wanted = parameters["name"]?.string, parameters.count == 1 {
            return try item(wanted, of: query?.dropFirst() ?? "", identifier)
        }
        guard name.hasPrefix("@"), parameters.isEmpty else {
            return try header(
                name, parameters, head.headerFields, length: request.bodyLength.map { "\($0)" }, identifier)
        }
        // Without the scheme and a default port.
        let authority = String(request.origin.dropFirst((head.scheme ?? "http").count + 3))
        switch name {
        case "@method": return head.method.rawValue
        case "@target-uri": return request.origin + target
        case "@authority": return authority
        case "@scheme": return (head.scheme ?? "http").lowercased()
        case "@request-target": return target
        case "@path": return String(target.prefix { $0 != "?" })
        case "@query": return query.map { String($0) } ?? "?"
        default: throw Self.error("\(identifier) isn't a component of a request")
        }
    }

    private func item(_ wanted: String, of query: Substring, _ identifier: String) throws(NetError) -> String {
        var values: [String] = []
        for item in query.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentEncoding.decode(parts[0], plusIsSpace: true)
            guard MessageSignature.Component.formEncoded(name) == wanted else { continue }
            values.append(parts.count > 1 ? PercentEncoding.decode(parts[1], plusIsSpace: true) : "")
        }
        guard values.count == 1 else { throw Self.error("\(identifier) must occur once in the query") }
        return MessageSignature.Component.formEncoded(values[0])
    }

    private func header(
        _ text: String, _ parameters: StructuredField.Parameters, _ fields: HTTPFields, length: String?,
        _ identifier: String
    ) throws(NetError) -> String {
        guard text == text.lowercased(), let name = HTTPField.Name(text) else {
            throw Self.error("\(identifier) isn't a component")
        }
        var lines = fields[values: name].map { $0.trimmingBlanks }
        if lines.isEmpty, name == .contentLength, let length { lines = [length] }
        guard !lines.isEmpty else { throw Self.error("the message has no \(identifier) to sign") }
        if parameters.isEmpty { return lines.joined(separator: ", ") }
        if parameters.count == 1, parameters["bs"]?.boolean == true {
            let list = StructuredField.List(lines.map { .item(.byteSequence(Bytes($0.utf8))) })
            return try Self.serialized { () throws(StructuredFieldError) in try list.serialized() }
        }
        if parameters.count == 1, let key = parameters["key"]?.string {
            let text = try Self.serialized { () throws(StructuredFieldError) -> String? in
                let dictionary = try StructuredField.Dictionary(parsing: lines.joined(separator: ", "))
                guard let member = dictionary[key] else { return nil }
                return try StructuredField.List([member]).serialized()
            }
            guard let text else {
                throw Self.error("the message has no \(identifier) to sign")
            }
            return text
        }
        throw Self.error("\(identifier) has parameters that aren't supported")
    }

    private static func serialized<Value>(
        _ body: () throws(StructuredFieldError) -> Value
    ) throws(NetError) -> Value {
        do {
            return try body()
        } catch {
            throw Self.error("a component isn't a structured field: \(error)")
        }
    }

    static func error(_ message: String) -> NetError {
        NetError(.invalidRequest, phase: .preparing, message: "message signature: \(message)")
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
