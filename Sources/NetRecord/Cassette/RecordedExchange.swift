package import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// One request and how it ended, as values that a file can hold.
package struct RecordedExchange: Sendable, Hashable {
    /// What was sent.
    package struct Request: Sendable, Hashable {
        package var method: HTTPRequest.Method
        package var url: String
        package var headers: HTTPFields
        package var body: RecordedBody

        package init(
            method: HTTPRequest.Method, url: String, headers: HTTPFields = [:], body: RecordedBody = RecordedBody()
        ) {
            self.method = method
            self.url = url
            self.headers = headers
            self.body = body
        }
    }

    /// What came back.
    package struct Response: Sendable, Hashable {
        package var status: HTTPResponse.Status
        /// `1.0`, `1.1` or `2`; empty where it is not known.
        package var version: String
        package var headers: HTTPFields
        package var body: RecordedBody
        package var trailers: HTTPFields?
        /// What passed over the WebSocket that a response 101 opened.
        package var socket: RecordedSocket?

        package init(
            status: HTTPResponse.Status, version: String = "", headers: HTTPFields = [:],
            body: RecordedBody = RecordedBody(), trailers: HTTPFields? = nil, socket: RecordedSocket? = nil
        ) {
            self.status = status
            self.version = version
            self.headers = headers
            self.body = body
            self.trailers = trailers
            self.socket = socket
        }
    }

    /// Why no response came.
    package struct Failure: Sendable, Hashable {
        /// A ``NetError/Code``.
        package var code: String
        package var message: String

        package init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    package enum Outcome: Sendable, Hashable {
        case response(Response)
        case failure(Failure)
    }

    /// When the request was sent.
    package var recordedAt: Date
    /// Until the head of the response, or the failure.
    package var duration: Duration
    package var request: Request
    package var outcome: Outcome

    package init(recordedAt: Date, duration: Duration, request: Request, outcome: Outcome) {
        self.recordedAt = recordedAt
        self.duration = duration
        self.request = request
        self.outcome = outcome
    }

    /// The response; nil for a failure.
    package var response: Response? {
        if case .response(let response) = outcome { response } else { nil }
    }
}
