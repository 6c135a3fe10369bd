public import NetCore

extension HTTPClient {
    #if os(Linux)
    /// A client for a few requests, without setup or shutdown: the default configuration, no base URL, and the connections
    /// of ``CurlTransport/shared``.
    ///
    ///     let text = try await HTTPClient.shared.send(
    ///         Request<String>(url: "https://example.com/", serializer: .string))
    public static let shared = HTTPClient(configuration: Configuration(), transport: CurlTransport.shared)
    #endif

    /// Returns a client whose calls all fail with `error`, and that opens no connection.
    ///
    ///     let offline = HTTPClient.failing(with: NetError(.connect, phase: .connecting, message: "no network"))
    public static func failing(
        with error: NetError, configuration: Configuration = Configuration(baseURL: "http://failing.invalid")
    ) -> HTTPClient {
        HTTPClient(configuration: configuration, transport: FailingTransport(error: error))
    }
}

/// A transport that fails every request with the same error.
private struct FailingTransport: HTTPTransport {
    let error: NetError

    func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
        throw error
    }
}
