public import HTTPTypes

/// A request declared as a type: its destination, its content and its response.
///
/// Only `path` is required if the response is `Decodable` (read as JSON), `Data`, `Bytes`, `String` or `Void`; the
/// method is GET by default. An optional response is nil if the body is empty, as with status 204; otherwise `String?`
/// and `Data?` are read like `String` and `Data`.
///
///     struct GetUser: APIRequest {
///         struct Response: Decodable, Sendable { let id: Int, name: String }
///         let id: Int
///         var path: Path { "users/\(id)" }
///     }
public protocol APIRequest<Response>: Sendable {
    /// The value that a successful call returns.
    associatedtype Response: Sendable
    /// The value of a response that is rejected because of its status. Default `Never`: no such value is declared.
    associatedtype Failure: Sendable = Never

    /// The path, relative to the client's base URL.
    var path: Path { get }
    /// The method. Default GET.
    var method: HTTPRequest.Method { get }
    /// The headers of this request; each replaces all headers of the client with the same name. `Content-Length` and
    /// `Transfer-Encoding` are ignored, since they follow from the body. Default none.
    @HeadersBuilder var headers: HTTPFields { get }
    /// The query, appended to the query of the base URL. Default none.
    @QueryBuilder var query: QueryItems { get }
    /// The body. Default none.
    var body: RequestBody { get }
    /// The options for sending and validation. Default ``RequestOptions/init()``.
    var options: RequestOptions { get }
    /// Converts a response that passed validation.
    var serializer: ResponseSerializer<Response> { get }
    /// Converts a response that failed validation; nil if no failure is declared.
    var failureSerializer: ResponseSerializer<Failure>? { get }
}

extension APIRequest {
    public var method: HTTPRequest.Method { .get }
    public var headers: HTTPFields { [:] }
    public var query: QueryItems { [] }
    public var body: RequestBody { .none }
    public var options: RequestOptions { RequestOptions() }
}

extension APIRequest where Failure == Never {
    public var failureSerializer: ResponseSerializer<Never>? { nil }
}

extension APIRequest where Failure: Decodable {
    /// Reads JSON; text and data are read as such.
    public var failureSerializer: ResponseSerializer<Failure>? {
        .byType
    }
}

extension APIRequest where Response: Decodable {
    /// Reads JSON; text and data are read as such, also in generic code. An empty body results in nil if the response
    /// is optional.
    public var serializer: ResponseSerializer<Response> { .byType }
}

extension APIRequest where Response == Bytes {
    public var serializer: ResponseSerializer<Response> { .bytes }
}

extension APIRequest where Response == Void {
    /// Discards the body as it arrives.
    public var serializer: ResponseSerializer<Response> { .discard }
}

extension APIRequest where Response == ResponseBody {
    public var serializer: ResponseSerializer<Response> { .body }
}
