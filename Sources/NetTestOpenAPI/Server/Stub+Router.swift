#if Server
internal import HTTPTypes
internal import NetCore
public import NetOpenAPIRuntime
public import NetTesting

extension Stub {
    /// A stub that passes every request to a server generated from a document.
    ///
    /// ```swift no-check
    /// let server = try await TestServer.start([.router(PetStoreServer.router(pets: Shop()))])
    /// ```
    ///
    /// Another stub with a higher priority responds instead.
    public static func router(_ router: OperationRouter) -> Stub {
        Stub(nil, "*") { request in
            let response = await router.respond(
                to: ServerRequest(
                    method: request.method.rawValue, target: request.target, headers: request.headers,
                    body: request.body))
            let body = response.body
            return StubResponse(
                status: HTTPResponse.Status(code: response.status), headers: response.headers,
                body: body.whole.map { .bytes($0) } ?? .stream { body })
        }
        .optional()
    }
}
#endif
