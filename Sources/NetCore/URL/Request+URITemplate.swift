public import HTTPTypes

extension URITemplate {
    /// Expands the template to a path and a query, relative to the client's base URL.
    ///
    /// The query is sent byte for byte as ``expand(_:)`` returns it (RFC 6570 section 3.1), including empty items and a
    /// `?` without items.
    ///
    /// Throws `.invalidRequest` for an absolute template; set `RequestOptions.absoluteURL` to the text that
    /// ``expand(_:)`` returns instead. Also throws for a fragment, which is never sent, and if ``expand(_:)`` throws.
    /// If a value would be a segment `.` or `..`, preparing the request throws.
    ///
    ///     let template = try URITemplate("/users/{id}{?page}")
    ///     let target = try template.target(["id": 7, "page": 2])
    ///     print(target.path.encoded, target.query.encodedQuery)  // users/7 page=2
    public func target(_ variables: [String: Value?]) throws(NetError) -> (path: Path, query: QueryItems) {
        var text: Substring
        do {
            text = try expand(variables)[...]
        } catch {
            throw NetError(.invalidRequest, phase: .preparing, message: error.description, underlying: error)
        }
        if text.utf8.contains(UInt8(ascii: "#")) {
            throw Self.refuse("the template \"\(self.text)\" has a fragment, which is never sent; omit it")
        }
        let beginning = text.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let rest = text.utf8.dropFirst(beginning.count)
        // A single colon belongs to a segment, as in `{id}:cancel`: nothing is resolved against the base URL.
        if beginning.isEmpty || beginning.last == UInt8(ascii: ":"), rest.starts(with: "//".utf8) {
            throw Self.refuse(
                "the template \"\(self.text)\" is absolute; set RequestOptions.absoluteURL to its expansion")
        }
        var query: Substring?
        if let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = text[text.utf8.index(after: mark)...]
            text = text[..<mark]
        }
        if text.utf8.first == UInt8(ascii: "/") { text.removeFirst() }
        var path = Path()
        if !text.isEmpty { path.append(escaped: String(text)) }
        return (path, query.map(Self.items) ?? [])
    }

    private static func items(_ query: Substring) -> QueryItems {
        let items = query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return QueryItems(items.map { QueryItem(written: Substring($0)) })
    }

    private static func refuse(_ message: String) -> NetError {
        NetError(.invalidRequest, phase: .preparing, message: message)
    }
}

extension Request {
    /// Creates a request with the path and the query of a template; `query` is appended to the template's query.
    ///
    ///     let template = try URITemplate("users/{id}{?page}")
    ///     let request = try Request<String>(template, ["id": 7, "page": 2], serializer: .string)
    ///     print(request.path.encoded)  // users/7
    public init(
        _ template: URITemplate, _ variables: [String: URITemplate.Value?], method: HTTPRequest.Method = .get,
        query: QueryItems = [], headers: HTTPFields = [:], body: RequestBody = .none,
        options: RequestOptions = RequestOptions(), serializer: ResponseSerializer<Response>
    ) throws(NetError) {
        var target = try template.target(variables)
        // A `?` without items is sent, but it doesn't become an empty item before other items.
        if target.query.encodedQuery.isEmpty, !query.isEmpty { target.query = [] }
        self.init(
            target.path, method: method, query: target.query + query, headers: headers, body: body, options: options,
            serializer: serializer)
    }
}
