package import NetCore

/// Tells a download the IDs of its calls, so that activity shows them as the job's.
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
