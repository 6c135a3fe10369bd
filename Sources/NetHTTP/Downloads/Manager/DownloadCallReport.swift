package import NetCore

/// Reports the IDs of a download's calls, so that activity attributes them to the job.
package struct DownloadCallReport: Middleware {
    private let report: @Sendable (DownloadReport) -> Void

    package init(_ report: @escaping @Sendable (DownloadReport) -> Void) {
        self.report = report
    }

    package var endsWithCall: Bool { true }

    package func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        report(.call(context.id))
        return try await next(request, context)
    }
}
