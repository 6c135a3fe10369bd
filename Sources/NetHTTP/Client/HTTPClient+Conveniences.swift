public import NetCore

extension HTTPClient {
    #if os(Linux)
    /// A client for a few requests, with nothing to set up and nothing to end: the defaults, no base URL, and the connections
    /// of ``CurlTransport/shared``.
    ///
    ///     let text = try await HTTPClient.shared.send(
    ///         Request<String>(url: "https://example.com/", serializer: .string))
    public static let shared = HTTPClient(configuration: Configuration(), transport: CurlTransport.shared)
    #endif

    /// A client whose every call fails with that error, and that opens no connection.
    ///
    ///     let offline = HTTPClient.failing(with: NetError(.connect, phase: .connecting, message: "no network"))
    public static func failing(
        with error: NetError, configuration: Configuration = Configuration(baseURL: "http://failing.invalid")
    ) -> HTTPClient {
        HTTPClient(configuration: configuration, transport: FailingTransport(error: error))
    }
}

/// Fails.
private struct FailingTransport: HTTPTransport {
    let error: NetError

    func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
        throw error
    }
}
