/// One operation of a generated client, called like a function.
///
///     func bookCount(_ client: any APIClient) async throws -> Int {
///         let getBooks = Call<Request<[String]>>(client)
///         let books = try await getBooks(Request("/books"))
///         let head = try await getBooks.response(Request("/books")).head
///         return head.isSuccess ? books.count : 0
///     }
// A property that holds a client compiles in a fraction of the time of an asynchronous method.
public struct Call<Operation: APIRequest>: Sendable {
    private let client: any APIClient

    /// Creates an operation that sends its requests with `client`.
    @_spi(Generated) public init(_ client: any APIClient) {
        self.client = client
    }

    /// Sends the request and returns its decoded response. Throws like ``APIClient/response(_:)``.
    public func callAsFunction(_ request: Operation) async throws(APIError<Operation.Failure>) -> Operation.Response {
        try await client.send(request)
    }

    /// Sends the request and returns its decoded response with head and metrics. Throws like ``APIClient/response(_:)``.
    public func response(_ request: Operation) async throws(APIError<Operation.Failure>) -> Response<Operation.Response>
    {
        try await client.response(request)
    }
}

/// One operation of a generated client whose request can be omitted.
public struct DefaultCall<Operation: APIRequest>: Sendable {
    private let client: any APIClient
    private let request: Operation

    /// Creates an operation.
    ///
    /// - Parameters:
    ///   - client: The client that sends the requests.
    ///   - request: The request of calls without one.
    @_spi(Generated) public init(_ client: any APIClient, _ request: Operation) {
        self.client = client
        self.request = request
    }

    /// Sends the request and returns its decoded response. Throws like ``APIClient/response(_:)``.
    public func callAsFunction(_ request: Operation? = nil) async throws(APIError<Operation.Failure>)
        -> Operation.Response
    {
        try await client.send(request ?? self.request)
    }

    /// Sends the request and returns its decoded response with head and metrics. Throws like ``APIClient/response(_:)``.
    public func response(_ request: Operation? = nil) async throws(APIError<Operation.Failure>)
        -> Response<Operation.Response>
    {
        try await client.response(request ?? self.request)
    }
}
