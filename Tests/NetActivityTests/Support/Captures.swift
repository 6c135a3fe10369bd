import NetCore

@testable import NetStore

extension PendingCapture {
    /// Creates a capture whose content is already complete.
    convenience init(
        _ call: CallID, number: Int, status: Int?, requestHeaders: String? = nil, responseHeaders: String? = nil,
        request: CaptureContent.Body? = nil, response: CaptureContent.Body? = nil
    ) {
        let content = CaptureContent(
            status: status, requestHeaders: requestHeaders, responseHeaders: responseHeaders, request: request,
            response: response)
        self.init(call, number: number, bytes: (request?.bytes.count ?? 0) + (response?.bytes.count ?? 0)) { content }
    }
}
