public import HTTPTypes

/// A request with changed options, as ``APIRequest/with(_:)`` returns it.
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

/// A request made of another one; test doubles answer it like the one that it wraps.
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
    /// The request that was wrapped first, or this one.
    package var unwrapped: any APIRequest { (self as? any WrappedRequest)?.innermost ?? self }

    /// Returns the same request with changed options: for one call, and with its own response and failure.
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
