public import HTTPTypes

extension Request {
    /// Creates a request to an absolute URL, which ignores the client's base URL; see ``RequestOptions/absoluteURL``.
    ///
    ///     let request = Request<String>(url: "https://example.com/robots.txt", serializer: .string)
    public init(
        url: some URLConvertible, method: HTTPRequest.Method = .get, query: QueryItems = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions(), serializer: ResponseSerializer<Response>
    ) {
        var options = options
        options.absoluteURL = url.urlText
        self.init(
            "", method: method, query: query, headers: headers, body: body, options: options, serializer: serializer)
    }
}

extension Request where Response: Decodable {
    /// Creates a request to an absolute URL whose response is read as JSON; text and data are read as such.
    public init(
        url: some URLConvertible, method: HTTPRequest.Method = .get, query: QueryItems = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            url: url, method: method, query: query, headers: headers, body: body, options: options, serializer: .byType)
    }
}
