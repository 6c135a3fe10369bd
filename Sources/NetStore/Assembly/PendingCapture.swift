internal import NetCore

/// The captured fields and bodies of one attempt as they wait in the queue. The writer reads them, once: redacting them takes
/// longer than a listener may.
final class PendingCapture: Sendable {
    let call: CallID
    /// The number of the attempt; 0 for a response that a cache has served.
    let number: Int
    /// About the memory that it holds.
    let bytes: Int
    private let read: @Sendable () -> CaptureContent

    /// - Parameters:
    ///   - bytes: About the memory that it holds.
    ///   - read: Returns the redacted content.
    init(_ call: CallID, number: Int, bytes: Int, _ read: @escaping @Sendable () -> CaptureContent) {
        self.call = call
        self.number = number
        self.bytes = 256 + bytes
        self.read = read
    }

    /// The row that is written.
    func row() -> CaptureRow { CaptureRow(call: call, number: number, content: read()) }
}

/// What was captured of an attempt; redacted.
struct CaptureContent: Sendable {
    /// One body as far as it was captured.
    struct Body: Sendable {
        let bytes: Bytes
        /// The size of the whole body.
        let size: Int64
        let isCut: Bool
        /// The media type without parameters.
        let type: String?
    }

    var status: Int?
    /// Lines `name: value`.
    var requestFields, responseFields, trailers: String?
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
