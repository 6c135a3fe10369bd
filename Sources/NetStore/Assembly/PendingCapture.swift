internal import NetCore

/// The captured headers and bodies of one attempt, waiting in the queue. The writer reads them once: redacting takes
/// longer than a listener is allowed to.
final class PendingCapture: Sendable {
    let call: CallID
    /// The number of the attempt; 0 for a response from a cache.
    let number: Int
    /// The approximate memory in use, in bytes.
    let bytes: Int
    private let read: @Sendable () -> CaptureContent

    /// - Parameters:
    ///   - bytes: The approximate memory in use.
    ///   - read: Returns the redacted content.
    init(_ call: CallID, number: Int, bytes: Int, _ read: @escaping @Sendable () -> CaptureContent) {
        self.call = call
        self.number = number
        self.bytes = 256 + bytes
        self.read = read
    }

    /// Returns the row to write.
    func row() -> CaptureRow { CaptureRow(call: call, number: number, content: read()) }
}

/// The redacted content captured of an attempt.
struct CaptureContent: Sendable {
    /// The captured part of a body.
    struct Body: Sendable {
        let bytes: Bytes
        /// The size of the whole body.
        let size: Int64
        let isCut: Bool
        /// The media type without parameters.
        let type: String?
        /// The path of the file that was sent as the body; nil for any other body.
        var file: String?
    }

    var status: Int?
    /// Lines `name: value`.
    var requestHeaders, responseHeaders, trailers: String?
    var request, response: Body?
    /// The times of the pieces of a stream, as JSON.
    var pieces: String?
}

/// The row of a captured attempt.
struct CaptureRow: Sendable {
    let call: CallID
    let number: Int
    let content: CaptureContent
}
