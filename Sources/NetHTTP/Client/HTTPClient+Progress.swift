public import NetCore

extension HTTPClient {
    /// Sends a request, tells how far its bodies have come, and returns its decoded answer. Throws as ``send(_:)`` does.
    ///
    ///     let photo = Request<Empty>("photo", method: .put, body: .file("/tmp/photo.jpg"))
    ///     _ = try await client.send(photo) { progress in
    ///         if progress.kind == .upload { print(progress.completed, progress.total ?? -1) }
    ///     }
    ///
    /// - Parameters:
    ///   - request: The request; an observer of its own is replaced.
    ///   - interval: The shortest time between two reports of one body. Default 100 ms.
    ///   - progress: What is told, as of a ``NetCore/ProgressObserver``.
    public func send<R: APIRequest>(
        _ request: R, progressEvery interval: Duration = .milliseconds(100),
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(APIError<R.Failure>) -> R.Response {
        try await begin(request, delivery: nil, progress: ProgressObserver(every: interval, progress)).value()
    }
}
