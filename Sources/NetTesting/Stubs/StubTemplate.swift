public import HTTPTypes
internal import NetCore
internal import NetRecord

extension Stub {
    /// Returns a stub that responds with a text in which each `{{…}}` is replaced by a part of the request.
    ///
    /// | placeholder | replaced by |
    /// |---|---|
    /// | `{{path.id}}` | the parameter `id` of the path template |
    /// | `{{query.page}}` | the first query item `page` |
    /// | `{{body}}` | the whole body as text |
    /// | `{{body.$.user.name}}` | the first value that the ``JSONPath`` selects: a string as it is, else JSON text |
    ///
    /// In a JSON response, text from the request is escaped for use between quotes; other values selected by a path are
    /// inserted without quotes. If the request lacks a value, or a `{{…}}` is unknown, the response fails.
    ///
    ///     let stub = Stub.template(.post, "/users/{id}", #"{"id": "{{path.id}}", "name": "{{body.$.name}}"}"#)
    ///
    /// - Parameters:
    ///   - method: The method; nil matches any method.
    ///   - path: The path.
    ///   - text: The text.
    ///   - contentType: The media type. Default `application/json`.
    ///   - status: The status. Default 200.
    ///   - fileID: The file in ``Stub/source``. Default the caller's.
    ///   - line: The line in ``Stub/source``. Default the caller's.
    public static func template(
        _ method: HTTPRequest.Method?, _ path: PathTemplate, _ text: String, contentType: String = "application/json",
        status: HTTPResponse.Status = .ok, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Stub {
        let template = StubTemplate(text, escapesJSON: contentType.contains("json"))
        return Stub(method, path, fileID: fileID, line: line) { request in
            let text = try template.fill(from: request)
            return StubResponse(status: status, headers: [.contentType: contentType], body: .text(text))
        }
    }
}

/// A template that can't be filled from a request.
struct StubTemplateError: SecretlessError {
    let description: String
}

/// A text with placeholders for parts of a request. Inserted text isn't interpreted as a template again.
struct StubTemplate: Sendable {
    private enum Piece: Sendable {
        case text(Substring)
        case place(String)
    }

    private let pieces: [Piece]
    private let escapesJSON: Bool

    init(_ text: String, escapesJSON: Bool) {
        var pieces: [Piece] = []
        var rest = text[...]
        while let open = Self.find("{{", in: rest), let close = Self.find("}}", in: rest[open.upperBound...]) {
            pieces.append(.text(rest[..<open.lowerBound]))
            pieces.append(.place(rest[open.upperBound..<close.lowerBound].trimmed))
            rest = rest[close.upperBound...]
        }
        pieces.append(.text(rest))
        self.pieces = pieces
        self.escapesJSON = escapesJSON
    }

    func fill(from request: StubRequest) throws(StubTemplateError) -> String {
        var result = ""
        for piece in pieces {
            switch piece {
            case .text(let text): result += text
            case .place(let place): result += try value(of: place, in: request)
            }
        }
        return result
    }

    private func value(of place: String, in request: StubRequest) throws(StubTemplateError) -> String {
        if place == "body" { return shown(String(decoding: request.body, as: UTF8.self)) }
        let parts = place.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, ["path", "query", "body"].contains(parts[0]) else {
            throw StubTemplateError(
                description:
                    "{{\(place)}} isn't a placeholder of a template: write path.name, query.name, body or body.$.name")
        }
        let found: String? =
            switch parts[0] {
            case "path": request.parameters[String(parts[1])].map(shown)
            case "query": request.queryValue(String(parts[1])).map(shown)
            default: try member(JSONPath(String(parts[1])), of: request)
            }
        guard let found else { throw StubTemplateError(description: "the request has nothing for {{\(place)}}") }
        return found
    }

    private func member(_ path: JSONPath, of request: StubRequest) throws(StubTemplateError) -> String? {
        if let problem = path.problem {
            throw StubTemplateError(description: "the JSON path \(path) in the template cannot be read: \(problem)")
        }
        guard let body = try? request.decode(JSONValue.self), let value = path.select(in: body).first?.value else {
            return nil
        }
        guard let text = value.stringValue else { return Shown.text(value) }
        return shown(text)
    }

    /// The value as the inside of a JSON string, if the response is JSON.
    private func shown(_ value: String) -> String {
        guard escapesJSON else { return value }
        return String(Shown.text(.string(value)).dropFirst().dropLast())
    }

    private static func find(_ pair: String, in text: Substring) -> Range<Substring.Index>? {
        var place = text.startIndex
        while place < text.endIndex {
            if text[place...].hasPrefix(pair) { return place..<text.index(place, offsetBy: pair.count) }
            place = text.index(after: place)
        }
        return nil
    }
}
