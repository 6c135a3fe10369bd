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
    /// Sends a request and returns its decoded response, which may be ignored. Throws like ``response(_:)``.
    @discardableResult
    public func send<R: APIRequest>(_ request: R) async throws(APIError<R.Failure>) -> R.Response {
        try await response(request).value
    }

    /// Sends a GET request and returns its response: JSON as `type`, and text and data as such. Throws like
    /// ``response(_:)``.
    ///
    ///     struct User: Decodable, Sendable { let name: String }
    ///     let user = try await client.get("users/7", as: User.self)
    ///     print(user.name)
    public func get<Value: Decodable & Sendable>(
        _ path: Path, query: QueryItems = [], as type: Value.Type = Value.self
    ) async throws(APIError<Never>) -> Value {
        try await send(Request<Value>(path, query: query))
    }

    /// Sends a GET request and returns as soon as the head has arrived. Throws like ``response(_:)``.
    ///
    ///     for try await chunk in try await client.stream("film.mp4").body { print(chunk.count) }
    public func stream(_ path: Path, query: QueryItems = []) async throws(APIError<Never>) -> StreamedResponse {
        try await stream(Request<Bytes>(path, query: query))
    }

    /// Sends a GET request, writes the body to a file and returns the head. Throws like ``response(_:)``, and `.file`
    /// if the file can't be written. The file appears only when it's complete; see ``ResponseBody/write(to:)``.
    ///
    ///     try await client.download("film.mp4", to: "/tmp/film.mp4")
    @discardableResult
    public func download(
        _ path: Path, query: QueryItems = [], to file: some FilePathConvertible
    ) async throws(APIError<Never>) -> ResponseHead {
        let response = try await stream(path, query: query)
        do throws(NetError) {
            try await response.write(to: file)
        } catch {
            throw .failed(error)
        }
        return response.head
    }
}
