public import NetCore

/// One operation of a generated client, called like a function.
///
/// A trailing closure changes the options of one call: timeouts, cache policy, priority, retry, middleware, and the
/// observer of its progress. The call's failure stays typed.
///
///     func bookCount(_ client: any APIClient) async throws -> Int {
///         let getBooks = Call<Request<[String]>>(client)
///         let books = try await getBooks(Request("/books")) { $0.timeouts = .total(.seconds(5)) }
///         let head = try await getBooks.response(Request("/books")).head
///         return head.isSuccess ? books.count : 0
///     }
// A property that holds a client compiles in a fraction of the time of an asynchronous method.
public struct Call<Operation: APIRequest>: Sendable {
    /// A closure that changes the options of one call.
    public typealias Configure = (inout RequestOptions) -> Void

    private let client: any APIClient

    /// Creates an operation that sends its requests with `client`.
    @_spi(Generated) public init(_ client: any APIClient) {
        self.client = client
    }

    /// Sends the request and returns its decoded response. Throws like ``APIClient/response(_:)``.
    @discardableResult
    public func callAsFunction(
        _ request: Operation, configure: Configure? = nil
    ) async throws(APIError<Operation.Failure>) -> Operation.Response {
        guard let configure else { return try await client.send(request) }
        return try await client.send(request.with(configure))
    }

    /// Sends the request and returns its decoded response with head and metrics. Throws like
    /// ``APIClient/response(_:)``.
    public func response(
        _ request: Operation, configure: Configure? = nil
    ) async throws(APIError<Operation.Failure>) -> Response<Operation.Response> {
        guard let configure else { return try await client.response(request) }
        return try await client.response(request.with(configure))
    }

    /// Sends the request and returns as soon as the head arrives. Throws like ``APIClient/response(_:)``.
    public func stream(
        _ request: Operation, configure: Configure? = nil
    ) async throws(APIError<Operation.Failure>) -> StreamedResponse {
        guard let configure else { return try await client.stream(request) }
        return try await client.stream(request.with(configure))
    }

    /// Sends the request and returns the undecoded response, whatever its status.
    public func raw(_ request: Operation, configure: Configure? = nil) async throws(NetError) -> Response<Bytes> {
        guard let configure else { return try await client.raw(request) }
        return try await client.raw(request.with(configure))
    }

    /// Returns the pages, starting with that of the request; see ``APIClient/pages(_:by:limit:)``.
    public func pages(
        _ request: Operation, by paging: Paging<Operation.Response>, limit: Int = 1000
    ) -> PageSequence<Operation> {
        client.pages(request, by: paging, limit: limit)
    }

    /// Builds the request as it would be sent; see ``APIClient/prepare(_:)``.
    public func prepare(_ request: Operation, configure: Configure? = nil) throws(NetError) -> PreparedRequest {
        guard let configure else { return try client.prepare(request) }
        return try client.prepare(request.with(configure))
    }
}

/// One operation of a generated client whose request can be omitted.
public struct DefaultCall<Operation: APIRequest>: Sendable {
    private let call: Call<Operation>
    let request: Operation

    /// Creates an operation.
    ///
    /// - Parameters:
    ///   - client: The client that sends the requests.
    ///   - request: The request that is sent if a call omits it.
    @_spi(Generated) public init(_ client: any APIClient, _ request: Operation) {
        call = Call(client)
        self.request = request
    }

    /// Sends the request and returns its decoded response. Throws like ``APIClient/response(_:)``.
    @discardableResult
    public func callAsFunction(
        _ request: Operation? = nil, configure: Call<Operation>.Configure? = nil
    ) async throws(APIError<Operation.Failure>) -> Operation.Response {
        try await call(request ?? self.request, configure: configure)
    }

    /// Sends the request and returns its decoded response with head and metrics. Throws like
    /// ``APIClient/response(_:)``.
    public func response(
        _ request: Operation? = nil, configure: Call<Operation>.Configure? = nil
    ) async throws(APIError<Operation.Failure>) -> Response<Operation.Response> {
        try await call.response(request ?? self.request, configure: configure)
    }

    /// Sends the request and returns as soon as the head has arrived. Throws like ``APIClient/response(_:)``.
    public func stream(
        _ request: Operation? = nil, configure: Call<Operation>.Configure? = nil
    ) async throws(APIError<Operation.Failure>) -> StreamedResponse {
        try await call.stream(request ?? self.request, configure: configure)
    }

    /// Sends the request and returns the undecoded response, whatever its status.
    public func raw(
        _ request: Operation? = nil, configure: Call<Operation>.Configure? = nil
    ) async throws(NetError) -> Response<Bytes> {
        try await call.raw(request ?? self.request, configure: configure)
    }

    /// Returns the pages, starting with that of the request; see ``APIClient/pages(_:by:limit:)``.
    public func pages(
        _ request: Operation? = nil, by paging: Paging<Operation.Response>, limit: Int = 1000
    ) -> PageSequence<Operation> {
        call.pages(request ?? self.request, by: paging, limit: limit)
    }

    /// Builds the request as it would be sent; see ``APIClient/prepare(_:)``.
    public func prepare(
        _ request: Operation? = nil, configure: Call<Operation>.Configure? = nil
    ) throws(NetError) -> PreparedRequest {
        try call.prepare(request ?? self.request, configure: configure)
    }
}
