public import HTTPTypes

/// A request with a different failure type, returned by ``APIRequest/rejected(with:)``.
public struct RejectableRequest<Base: APIRequest, Failure: Sendable>: APIRequest {
    public typealias Response = Base.Response

    /// The request that is sent.
    public let base: Base
    private let chosen: ResponseSerializer<Failure>

    init(base: Base, serializer: ResponseSerializer<Failure>) {
        self.base = base
        chosen = serializer
    }

    public var path: Path { base.path }
    public var method: HTTPRequest.Method { base.method }
    public var headers: HTTPFields { base.headers }
    public var query: QueryItems { base.query }
    public var body: RequestBody { base.body }
    public var options: RequestOptions { base.options }
    public var serializer: ResponseSerializer<Base.Response> { base.serializer }
    public var failureSerializer: ResponseSerializer<Failure>? { chosen }
}

extension APIRequest {
    /// Returns the same request with `serializer` for rejected responses, which gives one call a typed failure.
    ///
    /// If `serializer` can't read a response, the call throws `.failed` with the status, the body and the decoding
    /// error.
    ///
    ///     struct Problem: Decodable, Sendable { let title: String }
    ///     let request = Request<[String: Int]>("stock").rejected(as: Problem.self)
    ///     do {
    ///         print(try await client.send(request))
    ///     } catch {
    ///         switch error {
    ///         case .rejected(let problem, let response): print(response.status.code, problem.title)
    ///         case .failed(let error): print(error)
    ///         }
    ///     }
    public func rejected<Failure>(with serializer: ResponseSerializer<Failure>) -> RejectableRequest<Self, Failure> {
        RejectableRequest(base: self, serializer: serializer)
    }

    /// Returns the same request with JSON for rejected responses; text and data are read as such.
    public func rejected<Failure: Decodable & Sendable>(as type: Failure.Type) -> RejectableRequest<Self, Failure> {
        rejected(with: .byType)
    }
}
