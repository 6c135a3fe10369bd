public import HTTPTypes

// The same defaults as a declared request has for responses that cannot be decoded.

extension Request where Response == Bytes {
    /// Makes a request that reads its answer as bytes.
    public init(
        _ path: Path, method: HTTPRequest.Method = .get, query: [QueryItem] = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            path, method: method, query: query, headers: headers, body: body, options: options, serializer: .bytes)
    }

    /// Makes a request to a whole URL that reads its answer as bytes.
    public init(
        url: String, method: HTTPRequest.Method = .get, query: [QueryItem] = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            url: url, method: method, query: query, headers: headers, body: body, options: options, serializer: .bytes)
    }
}

extension Request where Response == ResponseBody {
    /// Makes a request that reads its answer as a body that is still arriving.
    public init(
        _ path: Path, method: HTTPRequest.Method = .get, query: [QueryItem] = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            path, method: method, query: query, headers: headers, body: body, options: options, serializer: .body)
    }

    /// Makes a request to a whole URL that reads its answer as a body that is still arriving.
    public init(
        url: String, method: HTTPRequest.Method = .get, query: [QueryItem] = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            url: url, method: method, query: query, headers: headers, body: body, options: options, serializer: .body)
    }
}
