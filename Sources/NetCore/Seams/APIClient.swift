/// Sends typed requests: what code takes that should not care whether a network is behind it.
///
/// `HTTPClient` is one; in tests `MockClient` answers by the request's type or value, without bytes in between.
///
///     struct Greeting: Decodable, Sendable { let text: String }
///     struct Greeter {
///         let client: any APIClient
///         func greeting() async throws -> String {
///             try await client.send(Request<Greeting>("/greeting")).text
///         }
///     }
public protocol APIClient: Sendable {
    /// Sends a request and returns its decoded answer with head and figures.
    ///
    /// Throws `.rejected` with the request's typed failure when the status does not pass its validation and the body
    /// reads as one; `.failed` for everything else, `.cancelled` among it.
    func response<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> Response<R.Response>
    /// Sends a request and returns at the head, the body still arriving. Throws as ``response(_:)`` does.
    func stream<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> StreamedResponse
    /// Sends a request and returns whatever came, of any status, not decoded.
    func raw<R: APIRequest>(_ request: R) async throws(NetError) -> Response<Bytes>
    /// Builds the request as it would be sent: URL, fields and body. Throws `.invalidRequest` or `.encoding`.
    func prepare<R: APIRequest>(_ request: R) throws(NetError) -> PreparedRequest
}

extension APIClient {
    /// Sends a request and returns its decoded answer. Throws as ``response(_:)`` does.
    public func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response {
        try await response(request).value
    }
}
