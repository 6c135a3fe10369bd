/// One operation of a generated client: call it like a function.
///
///     func bookCount(_ client: any APIClient) async throws -> Int {
///         let getBooks = Call<Request<[String]>>(client)
///         let books = try await getBooks(Request("/books"))
///         let head = try await getBooks.response(Request("/books")).head
///         return head.isSuccess ? books.count : 0
///     }
// A property that holds a client is compiled in a fraction of the time that an asynchronous method takes.
public struct Call<Operation: APIRequest>: Sendable {
    private let client: any APIClient

    /// Takes the client that sends.
    public init(_ client: any APIClient) {
        self.client = client
    }

    /// Sends the request and returns its decoded answer. Throws as ``APIClient/response(_:)`` does.
    public func callAsFunction(_ request: Operation) async throws(APIError<Operation.Failure>) -> Operation.Response {
        try await client.send(request)
    }

    /// Sends the request and returns its decoded answer with head and figures. Throws as ``APIClient/response(_:)`` does.
    public func response(_ request: Operation) async throws(APIError<Operation.Failure>) -> Response<Operation.Response>
    {
        try await client.response(request)
    }
}

/// One operation of a generated client whose request can be left out.
public struct DefaultCall<Operation: APIRequest>: Sendable {
    private let client: any APIClient
    private let request: Operation

    /// Takes the client that sends, and the request for a call without one.
    public init(_ client: any APIClient, _ request: Operation) {
        self.client = client
        self.request = request
    }

    /// Sends the request and returns its decoded answer. Throws as ``APIClient/response(_:)`` does.
    public func callAsFunction(_ request: Operation? = nil) async throws(APIError<Operation.Failure>)
        -> Operation.Response
    {
        try await client.send(request ?? self.request)
    }

    /// Sends the request and returns its decoded answer with head and figures. Throws as ``APIClient/response(_:)`` does.
    public func response(_ request: Operation? = nil) async throws(APIError<Operation.Failure>)
        -> Response<Operation.Response>
    {
        try await client.response(request ?? self.request)
    }
}
