internal import NetCore

extension HTTPClient {
    /// The client of this task and of the tasks that it starts, for code that isn't passed one.
    ///
    ///     try await HTTPClient.$current.withValue(HTTPClient(baseURL: "https://api.example.com")) {
    ///         _ = try HTTPClient.current.prepare(Request<Int>("answer"))
    ///     }
    ///
    /// If no client was set, every call fails with `.unsupported` and explains how to set one.
    @TaskLocal public static var current = HTTPClient.failing(
        with: NetError(
            .unsupported, phase: .preparing,
            message: "no client was set for this task; set one with HTTPClient.$current.withValue(client) { … }"))
}
