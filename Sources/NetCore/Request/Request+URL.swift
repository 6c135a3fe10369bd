public import HTTPTypes

extension Request {
    /// Makes a request to a whole URL, whatever the base of the client is; see ``RequestOptions/absoluteURL``.
    ///
    ///     let request = Request<String>(url: "https://example.com/robots.txt", serializer: .string)
    public init(
        url: String, method: HTTPRequest.Method = .get, query: [QueryItem] = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions(), serializer: ResponseSerializer<Response>
    ) {
        var options = options
        options.absoluteURL = url
        self.init(
            "", method: method, query: query, headers: headers, body: body, options: options, serializer: serializer)
    }
}

extension Request where Response: Decodable {
    /// Makes a request to a whole URL that reads its answer as JSON; text, data and ``Empty`` as what they are.
    public init(
        url: String, method: HTTPRequest.Method = .get, query: [QueryItem] = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            url: url, method: method, query: query, headers: headers, body: body, options: options, serializer: .byType)
    }
}
