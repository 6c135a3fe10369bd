public import HTTPTypes

/// A request as a value, for calls that don't need their own request type.
///
///     let request = Request<[String: Int]>("stock/\(42)", query: ["unit": "kg"])
public struct Request<Response: Sendable>: APIRequest {
    public typealias Failure = Never

    public var path: Path
    public var method: HTTPRequest.Method
    public var headers: HTTPFields
    public var query: QueryItems
    public var body: RequestBody
    public var options: RequestOptions
    public var serializer: ResponseSerializer<Response>

    /// Creates a request whose response is read with `serializer`.
    public init(
        _ path: Path, method: HTTPRequest.Method = .get, query: QueryItems = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions(), serializer: ResponseSerializer<Response>
    ) {
        self.path = path
        self.method = method
        self.query = query
        self.headers = headers
        self.body = body
        self.options = options
        self.serializer = serializer
    }
}

extension Request where Response: Decodable {
    /// Creates a request whose response is read as JSON; text and data are read as such. An empty body results in nil
    /// if the response is optional.
    public init(
        _ path: Path, method: HTTPRequest.Method = .get, query: QueryItems = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            path, method: method, query: query, headers: headers, body: body, options: options, serializer: .byType)
    }
}

extension Request where Response: Decodable {
    /// Unavailable. Write the path as a literal, so that values in it are escaped.
    @available(
        *, unavailable,
        message: "write a literal, \"users/\\(id)\", in which values are escaped; or Path(text) for a whole route"
    )
    public init(
        _ path: String, method: HTTPRequest.Method = .get, query: QueryItems = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(Path(path), method: method, query: query, headers: headers, body: body, options: options)
    }
}
