public import NetCore

extension HTTPTransport where Self == MockTransport {
    /// A transport that responds with stubs.
    ///
    ///     let client = HTTPClient(
    ///         baseURL: "https://api.example.com", transport: .mock(Stub(.get, "/users/7", .json(["name": "Ada"]))))
    public static func mock(_ stubs: Stub...) -> MockTransport { MockTransport(stubs) }

    /// A transport that returns the same response to every request.
    ///
    ///     let client = HTTPClient(
    ///         baseURL: "https://api.example.com", transport: .succeeding(with: .json(["name": "Ada"])))
    public static func succeeding(with response: StubResponse) -> MockTransport {
        MockTransport { _, _ in response }
    }

    /// A transport that fails every request.
    ///
    ///     let client = HTTPClient(
    ///         baseURL: "https://api.example.com",
    ///         transport: .failing(with: NetError(.connect, phase: .connecting, message: "refused")))
    public static func failing(with error: NetError) -> MockTransport {
        MockTransport { _, _ in throw error }
    }
}
