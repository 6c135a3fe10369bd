internal import NetCore

/// The captured fields and bodies of one attempt as they wait in the queue; redacted.
final class PendingCapture: Sendable {
    /// One body as far as it was captured.
    struct Body: Sendable {
        let bytes: Bytes
        /// The size of the whole body.
        let size: Int64
        let isCut: Bool
        /// The media type without parameters.
        let type: String?
    }

    let call: CallID
    let number: Int
    let status: Int?
    /// Lines `name: value`.
    let requestFields, responseFields, trailers: String?
    let request, response: Body?
    /// The times of the pieces of a stream, as JSON.
    let pieces: String?

    init(
        _ call: CallID, number: Int, status: Int?, requestFields: String? = nil, responseFields: String? = nil,
        trailers: String? = nil, request: Body? = nil, response: Body? = nil, pieces: String? = nil
    ) {
        self.call = call
        self.number = number
        self.status = status
        self.requestFields = requestFields
        self.responseFields = responseFields
        self.trailers = trailers
        self.request = request
        self.response = response
        self.pieces = pieces
    }

    var bytes: Int {
        256 + (requestFields?.utf8.count ?? 0) + (responseFields?.utf8.count ?? 0) + (trailers?.utf8.count ?? 0)
            + (request?.bytes.count ?? 0) + (response?.bytes.count ?? 0) + (pieces?.utf8.count ?? 0)
    }
}
