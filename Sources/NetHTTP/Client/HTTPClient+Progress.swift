public import NetCore

extension HTTPClient {
    /// Sends a request, reports the progress of its bodies, and returns its decoded response. Throws like ``send(_:)``.
    ///
    ///     let photo = Request<Void>("photo", method: .put, body: .file("/tmp/photo.jpg"))
    ///     try await client.send(photo) { progress in
    ///         if progress.kind == .upload { print(progress.completed, progress.total ?? -1) }
    ///     }
    ///
    /// - Parameters:
    ///   - request: The request. Its own progress observer is replaced.
    ///   - interval: The minimum time between two reports of one body. Default 100 ms.
    ///   - progress: The closure that receives the reports, like that of a ``NetCore/ProgressObserver``.
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R, progressEvery interval: Duration = .milliseconds(100),
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(APIError<R.Failure>) -> R.Response {
        try await begin(request, delivery: nil, progress: ProgressObserver(every: interval, progress)).value()
    }
}
