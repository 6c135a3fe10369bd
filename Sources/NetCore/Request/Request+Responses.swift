public import HTTPTypes

// The defaults of a declared request for responses that aren't `Decodable`.

extension Request where Response == Bytes {
    /// Creates a request whose response is read as bytes.
    public init(
        _ path: Path, method: HTTPRequest.Method = .get, query: QueryItems = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            path, method: method, query: query, headers: headers, body: body, options: options, serializer: .bytes)
    }

    /// Creates a request to an absolute URL whose response is read as bytes.
    public init(
        url: some URLConvertible, method: HTTPRequest.Method = .get, query: QueryItems = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            url: url, method: method, query: query, headers: headers, body: body, options: options, serializer: .bytes)
    }
}

extension Request where Response == ResponseBody {
    /// Creates a request whose response is a body that is still arriving.
    public init(
        _ path: Path, method: HTTPRequest.Method = .get, query: QueryItems = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            path, method: method, query: query, headers: headers, body: body, options: options, serializer: .body)
    }

    /// Creates a request to an absolute URL whose response is a body that is still arriving.
    public init(
        url: some URLConvertible, method: HTTPRequest.Method = .get, query: QueryItems = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            url: url, method: method, query: query, headers: headers, body: body, options: options, serializer: .body)
    }
}

extension Request where Response == Void {
    /// Creates a request whose response has no value; a body is discarded as it arrives.
    public init(
        _ path: Path, method: HTTPRequest.Method = .get, query: QueryItems = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            path, method: method, query: query, headers: headers, body: body, options: options, serializer: .discard)
    }

    /// Creates a request to an absolute URL whose response has no value; a body is discarded as it arrives.
    public init(
        url: some URLConvertible, method: HTTPRequest.Method = .get, query: QueryItems = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            url: url, method: method, query: query, headers: headers, body: body, options: options,
            serializer: .discard)
    }
}
