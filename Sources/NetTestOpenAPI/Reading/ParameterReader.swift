#if Server
internal import HTTPTypes
internal import NetCore
internal import NetTesting

/// Finds the values of parameters in a request, by their styles (OpenAPI, Style Values).
struct ParameterReader {
    /// The result of looking for a parameter.
    enum Found {
        case absent
        case value(JSONValue)
        case malformed(String)
    }

    let text: TextReader
    let request: StubRequest
    /// Path parameters, still percent-encoded.
    let path: [String: String]
    /// The names of the query parameters; an exploded object doesn't take them.
    let queryNames: Set<String>

    func read(_ parameter: ParameterDescription) -> Found {
        switch parameter.location {
        case .path: return path[parameter.name].map { inPath(parameter, $0) } ?? .absent
        case .query: return inQuery(parameter)
        case .querystring: return wholeQuery(parameter)
        case .header:
            guard let name = HTTPField.Name(parameter.name) else { return .absent }
            let values = request.headers[values: name]
            return values.isEmpty ? .absent : inField(parameter, values.joined(separator: ","))
        case .cookie: return inCookies(parameter)
        }
    }

    /// The value of a header field of a request or a response.
    func inField(_ parameter: ParameterDescription, _ value: String) -> Found {
        if parameter.content != nil { return content(parameter, value) }
        return .value(split(parameter, value, separator: ",", explode: parameter.explode) { String($0) })
    }

    private func inPath(_ parameter: ParameterDescription, _ raw: String) -> Found {
        let decode: (Substring) -> String = { PercentEncoding.decode($0) }
        if parameter.content != nil { return content(parameter, PercentEncoding.decode(raw)) }
        switch parameter.style {
        case "label":
            guard raw.hasPrefix(".") else { return .malformed("a value in the style 'label' begins with '.'") }
            let separator: Character = parameter.explode ? "." : ","
            return .value(
                split(parameter, String(raw.dropFirst()), separator: separator, explode: parameter.explode, decode))
        case "matrix": return inMatrix(parameter, raw)
        default: return .value(split(parameter, raw, separator: ",", explode: parameter.explode, decode))
        }
    }

    private func inMatrix(_ parameter: ParameterDescription, _ raw: String) -> Found {
        guard raw.hasPrefix(";") else { return .malformed("a value in the style 'matrix' begins with ';'") }
        let pairs = raw.dropFirst().split(separator: ";").map { pair -> (name: String, value: Substring) in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (PercentEncoding.decode(parts[0]), parts.count > 1 ? parts[1] : "")
        }
        let own = pairs.filter { $0.name == parameter.name }
        if own.isEmpty {
            let members = pairs.map { (name: $0.name, value: FormValue.text(PercentEncoding.decode($0.value))) }
            return .value(text.value(.object(members), parameter.schema))
        }
        if own.count > 1 {
            return .value(text.value(.list(own.map { .text(PercentEncoding.decode($0.value)) }), parameter.schema))
        }
        return .value(
            split(parameter, String(own[0].value), separator: ",", explode: false) { PercentEncoding.decode($0) })
    }

    private func inCookies(_ parameter: ParameterDescription) -> Found {
        let pairs = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.map { pair in
            let bare = pair.drop { $0 == " " }
            let parts = bare.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: parts.first ?? "", value: parts.count > 1 ? parts[1] : nil)
        }
        return inItems(parameter, pairs)
    }

    private func inQuery(_ parameter: ParameterDescription) -> Found {
        let items = (request.query ?? "").split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: parts[0], value: parts.count > 1 ? parts[1] : nil)
        }
        return inItems(parameter, items)
    }

    /// The value among the items of a query or a cookie.
    private func inItems(_ parameter: ParameterDescription, _ items: [(name: Substring, value: Substring?)]) -> Found {
        let decode: (Substring) -> String = { PercentEncoding.decode($0, plusIsSpace: true) }
        let own = items.filter { decode($0.name) == parameter.name }
        if parameter.content != nil { return own.first.map { content(parameter, decode($0.value ?? "")) } ?? .absent }
        if parameter.style == "deepObject" || (own.isEmpty && !parameter.explode) { return deep(parameter, items) }
        if own.isEmpty { return exploded(parameter, items) }
        let separators: [String: Character] = ["spaceDelimited": " ", "pipeDelimited": "|"]
        if let separator = separators[parameter.style] {
            let joined = own.map { decode($0.value ?? "") }.joined(separator: String(separator))
            return .value(split(parameter, joined, separator: separator, explode: false) { String($0) })
        }
        if own.count == 1, !parameter.explode {
            return .value(split(parameter, String(own[0].value ?? ""), separator: ",", explode: false, decode))
        }
        let texts = own.map { FormValue.text(decode($0.value ?? "")) }
        return .value(text.value(texts.count == 1 ? texts[0] : .list(texts), parameter.schema))
    }

    /// `filter[state]=open`.
    private func deep(_ parameter: ParameterDescription, _ items: [(name: Substring, value: Substring?)]) -> Found {
        let own = items.compactMap { item -> (path: [String], text: String)? in
            let path = FormValue.path(PercentEncoding.decode(item.name, plusIsSpace: true))
            guard path.first == parameter.name else { return nil }
            return (Array(path.dropFirst()), PercentEncoding.decode(item.value ?? "", plusIsSpace: true))
        }
        return own.isEmpty ? .absent : .value(text.value(.nested(own), parameter.schema))
    }

    /// An object with one item per member; also a list under a name with brackets, which many clients send.
    private func exploded(
        _ parameter: ParameterDescription, _ items: [(name: Substring, value: Substring?)]
    ) -> Found {
        guard let schema = parameter.schema, text.set.types(of: schema).contains(.object) else {
            return deep(parameter, items)
        }
        let known = Set(text.set.propertyNames(of: schema))
        let isOpen = text.set.resolved(schema).additionalProperties.map { !text.set[$0].isNever } ?? known.isEmpty
        let own = items.compactMap { item -> (path: [String], text: String)? in
            let name = PercentEncoding.decode(item.name, plusIsSpace: true)
            guard known.contains(name) || (isOpen && !queryNames.contains(name)) else { return nil }
            return ([name], PercentEncoding.decode(item.value ?? "", plusIsSpace: true))
        }
        if own.isEmpty { return parameter.isRequired ? .value(.object([:])) : .absent }
        return .value(text.value(.nested(own), schema))
    }

    private func wholeQuery(_ parameter: ParameterDescription) -> Found {
        guard let query = request.query, let media = parameter.content else { return .absent }
        if media.essence == "application/x-www-form-urlencoded" {
            let items = request.queryItems.map { (path: FormValue.path($0.name), text: $0.value ?? "") }
            return .value(text.value(.nested(items), media.schema))
        }
        return content(parameter, PercentEncoding.decode(query))
    }

    /// A value in the media type that the parameter's `content` declares.
    private func content(_ parameter: ParameterDescription, _ value: String) -> Found {
        guard let media = parameter.content, media.essence.hasSuffix("json") else { return .value(.string(value)) }
        do {
            return .value(try JSONCoding.standard.decode(JSONValue.self, from: Bytes(value.utf8)))
        } catch {
            return .malformed("the value isn't JSON")
        }
    }

    /// A list or object that is serialized in one text, if the schema declares one; otherwise the text.
    private func split(
        _ parameter: ParameterDescription, _ value: String, separator: Character, explode: Bool,
        _ decode: (Substring) -> String
    ) -> JSONValue {
        let types = parameter.schema.map { text.set.types(of: $0) } ?? .string
        let parts = value.split(separator: separator, omittingEmptySubsequences: false)
        let isPlain = !types.isDisjoint(with: [.string, .number, .integer, .boolean])
        let whole = text.value(.text(decode(value[...])), parameter.schema)
        if isPlain, let schema = parameter.schema,
            SchemaCheck.accepts(whole, schema, in: text.set, .request)
        {
            return whole
        }
        if types.contains(.array), !types.contains(.object) || isPlain {
            if value.isEmpty { return .array([]) }
            return text.value(.list(parts.map { .text(decode($0)) }), parameter.schema)
        }
        guard types.contains(.object), !isPlain else { return whole }
        var members: [(name: String, value: FormValue)] = []
        if explode {
            for part in parts {
                let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                members.append((decode(pair[0]), .text(pair.count > 1 ? decode(pair[1]) : "")))
            }
        } else {
            for place in stride(from: 0, to: parts.count - 1, by: 2) {
                members.append((decode(parts[place]), .text(decode(parts[place + 1]))))
            }
        }
        return text.value(.object(members), parameter.schema)
    }
}
#endif
