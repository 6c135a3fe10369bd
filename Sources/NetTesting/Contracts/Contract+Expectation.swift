public import HTTPTypes
public import NetCore

extension Contract {
    /// One kind of request, and its outcome.
    public struct Expectation: Sendable {
        /// The ID for reports, unique within the contract.
        public var id: String
        /// The method; nil for any method.
        public var method: HTTPRequest.Method?
        /// The path; nil for any path.
        public var path: PathTemplate?
        /// The rules for query items, by name.
        public var query: [String: ValueRule] = [:]
        /// The rules for header fields, by name.
        public var headers: [HTTPField.Name: ValueRule] = [:]
        /// The rule for the body. Default anything.
        public var body: BodyRule = .anything
        /// The required metadata: the name and the `operationId` if they are set, and at least these tags. A server
        /// doesn't receive metadata, so it isn't checked there.
        public var metadata: RequestMetadata = .none
        /// The number of uses, both maximum and minimum: fewer uses are a violation. Default 1.
        public var times = 1
        /// The outcome of the request.
        public var outcome: Outcome
        /// The values of path parameters in an example request. Default: their names.
        public var example: [String: String] = [:]

        /// Creates an expectation.
        public init(_ id: String, _ method: HTTPRequest.Method?, _ path: PathTemplate?, _ outcome: Outcome) {
            self.id = id
            self.method = method
            self.path = path
            self.outcome = outcome
        }
    }

    /// The outcome of an expected request.
    public enum Outcome: Sendable {
        /// A response arrives.
        case response(Response)
        /// No response arrives.
        case failure(Failure)

        /// A response with a JSON body.
        public static func json(_ body: JSONValue, status: HTTPResponse.Status = .ok) -> Outcome {
            .response(Response(status: status, headers: [.contentType: "application/json"], body: body.sortedBytes))
        }
    }

    /// An expected response: the example that is sent, and the rules for a real response.
    public struct Response: Sendable {
        /// The status; a real response must have the same.
        public var status: HTTPResponse.Status
        /// The header fields; a real response must have them with these values, unless ``headerRules`` overrides it.
        public var headers: HTTPFields
        /// The body.
        public var body: Bytes
        /// The rules for a real response's header fields, instead of equality.
        public var headerRules: [HTTPField.Name: ValueRule] = [:]
        /// The rule for a real response's body. Default nil: JSON must contain at least the example, by value; any
        /// other body must be equal byte for byte.
        public var bodyRule: BodyRule?

        /// Creates a response.
        public init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: Bytes = Bytes()) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    /// An expected failure.
    public struct Failure: Sendable, Hashable {
        /// The code of the client's error.
        public var code: NetError.Code
        /// A text for people.
        public var message: String

        /// Creates a failure.
        public init(_ code: NetError.Code, message: String = "") {
            self.code = code
            self.message = message
        }
    }

    /// Header fields that clients and HTTP libraries add automatically: strict contracts ignore them, and recordings
    /// omit them.
    public static let automaticHeaders: Set<HTTPField.Name> = Set(
        [
            "host", "content-length", "content-type", "transfer-encoding", "connection", "keep-alive", "te", "trailer",
            "expect", "upgrade", "http2-settings", "priority", "accept", "accept-encoding", "accept-language",
            "user-agent", "traceparent", "tracestate", "baggage", "x-request-id", "date", "server", "via", "age",
        ].compactMap { HTTPField.Name($0) })
}
