internal import NetCore

extension HTTPClient {
    /// The client of this task and of those that it starts, for code that is handed none.
    ///
    ///     try await HTTPClient.$current.withValue(HTTPClient(baseURL: "https://api.example.com")) {
    ///         _ = try HTTPClient.current.prepare(Request<Int>("answer"))
    ///     }
    ///
    /// Where none was set, every call fails with `.unsupported` and says how to set one.
    @TaskLocal public static var current = HTTPClient.failing(
        with: NetError(
            .unsupported, phase: .preparing,
            message: "no client was set for this task; set one with HTTPClient.$current.withValue(client) { … }"))
}
