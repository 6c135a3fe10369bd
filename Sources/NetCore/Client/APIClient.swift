/// A client that sends typed requests. Code that takes an `any APIClient` doesn't depend on a network.
///
/// `HTTPClient` conforms; in tests, `MockClient` returns values by the request's type or value.
///
///     struct Greeting: Decodable, Sendable { let text: String }
///     struct Greeter {
///         let client: any APIClient
///         func greeting() async throws -> String {
///             try await client.send(Request<Greeting>("/greeting")).text
///         }
///     }
public protocol APIClient: Sendable {
    /// Sends a request and returns its decoded response with head and metrics.
    ///
    /// Throws `.rejected` with the request's typed failure if the status doesn't pass its validation and the body
    /// decodes as one; `.failed` for everything else, including cancellation.
    func response<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> Response<R.Response>
    /// Sends a prepared request and handles its response with the serializers and failure type of `request`. The
    /// validation is that of the prepared request's options.
    ///
    /// The prepared request is sent unchanged: the client's headers, for example, aren't added. Throws like
    /// ``response(_:)``.
    func response<R: APIRequest>(
        _ request: R, as prepared: PreparedRequest
    ) async throws(APIError<R.Failure>) -> Response<R.Response>
    /// Sends a request and returns as soon as the head has arrived. Throws like ``response(_:)``.
    func stream<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> StreamedResponse
    /// Sends a request and returns the undecoded response, whatever its status.
    func raw<R: APIRequest>(_ request: R) async throws(NetError) -> Response<Bytes>
    /// Builds the request as it would be sent: URL, headers and body. Throws `.invalidRequest` or `.encoding`.
    func prepare<R: APIRequest>(_ request: R) throws(NetError) -> PreparedRequest
}

extension APIClient {
    /// Sends a request and returns its decoded response. Throws like ``response(_:)``.
    public func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response {
        try await response(request).value
    }
}
