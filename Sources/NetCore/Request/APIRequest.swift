public import HTTPTypes

/// A request declared as a type: where it goes, what it sends, and what it answers with.
///
/// Only `path` must be given when the response is `Decodable` (read as JSON), `Data`, `Bytes`, `String` or ``Empty``; the
/// method is GET unless you say otherwise. An optional response is nil where the body is empty, as that of a 204 is; `String?`
/// and `Data?` are else the body's text and bytes, as without the question mark.
///
///     struct GetUser: APIRequest {
///         struct Response: Decodable, Sendable { let id: Int, name: String }
///         let id: Int
///         var path: Path { "users/\(id)" }
///     }
public protocol APIRequest<Response>: Sendable {
    /// What a successful call returns.
    associatedtype Response: Sendable
    /// The typed answer of a call that the server rejects. Default `Never`: no such answer is declared.
    associatedtype Failure: Sendable = Never

    /// The path below the client's base URL.
    var path: Path { get }
    /// The method. Default GET.
    var method: HTTPRequest.Method { get }
    /// Fields of this request; each replaces all of the client's fields of that name. `Content-Length` and
    /// `Transfer-Encoding` are left out: the body alone tells them. Default none.
    @HeadersBuilder var headers: HTTPFields { get }
    /// The query, after the base URL's own. Default none.
    @QueryBuilder var query: [QueryItem] { get }
    /// The body. Default none.
    var body: RequestBody { get }
    /// How it is sent and judged. Default ``RequestOptions/init(apiVersion:absoluteURL:timeouts:idempotencyKey:metadata:validation:retry:redirects:middleware:)``.
    var options: RequestOptions { get }
    /// Reads a response that passed validation.
    var serializer: ResponseSerializer<Response> { get }
    /// Reads a response that did not; nil when no failure is declared.
    var failureSerializer: ResponseSerializer<Failure>? { get }
}

extension APIRequest {
    public var method: HTTPRequest.Method { .get }
    public var headers: HTTPFields { [:] }
    public var query: [QueryItem] { [] }
    public var body: RequestBody { .none }
    public var options: RequestOptions { RequestOptions() }
}

extension APIRequest where Failure == Never {
    public var failureSerializer: ResponseSerializer<Never>? { nil }
}

extension APIRequest where Failure: Decodable {
    /// JSON; text, data and ``Empty`` as a response of that type is read.
    public var failureSerializer: ResponseSerializer<Failure>? {
        .byType
    }
}

extension APIRequest where Response: Decodable {
    /// JSON; text, data and ``Empty`` as what they are, in generic code as well. An empty body is nil where the response is an
    /// optional one.
    public var serializer: ResponseSerializer<Response> { .byType }
}

extension APIRequest where Response == Bytes {
    public var serializer: ResponseSerializer<Response> { .bytes }
}

extension APIRequest where Response == ResponseBody {
    public var serializer: ResponseSerializer<Response> { .body }
}
