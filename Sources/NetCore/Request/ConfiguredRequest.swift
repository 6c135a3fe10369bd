public import HTTPTypes

/// A request with changed options, returned by ``APIRequest/with(_:)``.
public struct ConfiguredRequest<Base: APIRequest>: APIRequest {
    public typealias Response = Base.Response
    public typealias Failure = Base.Failure

    /// The request that is sent.
    public let base: Base
    /// The changed options.
    public let options: RequestOptions

    public var path: Path { base.path }
    public var method: HTTPRequest.Method { base.method }
    public var headers: HTTPFields { base.headers }
    public var query: QueryItems { base.query }
    public var body: RequestBody { base.body }
    public var serializer: ResponseSerializer<Base.Response> { base.serializer }
    public var failureSerializer: ResponseSerializer<Base.Failure>? { base.failureSerializer }
}

/// A request that wraps another one. Test doubles respond to it as they do to the wrapped request.
package protocol WrappedRequest: APIRequest {
    associatedtype Base: APIRequest
    var base: Base { get }
}

extension WrappedRequest {
    fileprivate var innermost: any APIRequest { base.unwrapped }
}

extension ConfiguredRequest: WrappedRequest {}
extension RejectableRequest: WrappedRequest {}

extension APIRequest {
    /// The innermost wrapped request; this request if it wraps none.
    package var unwrapped: any APIRequest { (self as? any WrappedRequest)?.innermost ?? self }

    /// Returns the same request with changed options for one call. Its response and failure types don't change.
    ///
    ///     struct GetUser: APIRequest {
    ///         struct Response: Decodable, Sendable { let name: String }
    ///         let id: Int
    ///         var path: Path { "users/\(id)" }
    ///     }
    ///     let fresh = GetUser(id: 7).with {
    ///         $0.cachePolicy = .reload
    ///         $0.timeouts = .total(.seconds(5))
    ///     }
    ///     print(try await client.send(fresh).name)
    public func with(_ configure: (inout RequestOptions) throws -> Void) rethrows -> ConfiguredRequest<Self> {
        var options = options
        try configure(&options)
        return ConfiguredRequest(base: self, options: options)
    }
}
