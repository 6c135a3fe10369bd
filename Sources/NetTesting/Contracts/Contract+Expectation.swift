public import HTTPTypes
public import NetCore

extension Contract {
    /// One kind of request, and how it ends.
    public struct Expectation: Sendable {
        /// Names it in reports; each in a contract is another.
        public var id: String
        /// The method; nil for every method.
        public var method: HTTPRequest.Method?
        /// The path; nil for every path.
        public var path: PathTemplate?
        /// What is asked of query items, by name.
        public var query: [String: ValueRule] = [:]
        /// What is asked of fields, by name.
        public var headers: [HTTPField.Name: ValueRule] = [:]
        /// What is asked of the body. Default anything.
        public var body: BodyRule = .anything
        /// What is asked of the request's metadata: the name and the `operationId` where they are given, and at least
        /// these tags. A server never sees metadata; there it is not asked.
        public var metadata: RequestMetadata = .none
        /// How often it may be used; less often is a violation. Default 1.
        public var times = 1
        /// How the request ends.
        public var outcome: Outcome
        /// What the path's parameters are in an example request. Default: their names.
        public var example: [String: String] = [:]

        /// Makes an expectation.
        public init(_ id: String, _ method: HTTPRequest.Method?, _ path: PathTemplate?, _ outcome: Outcome) {
            self.id = id
            self.method = method
            self.path = path
            self.outcome = outcome
        }
    }

    /// How an expected request ends.
    public enum Outcome: Sendable {
        /// A response comes.
        case response(Response)
        /// No response comes.
        case failure(Failure)

        /// A response with a JSON body.
        public static func json(_ body: JSONValue, status: HTTPResponse.Status = .ok) -> Outcome {
            .response(Response(status: status, headers: [.contentType: "application/json"], body: body.sortedBytes))
        }
    }

    /// An expected response: the example that is served, and what a real one is checked for.
    public struct Response: Sendable {
        /// The status; a real one must be the same.
        public var status: HTTPResponse.Status
        /// The fields; a real one must have them with these values, unless ``headerRules`` says otherwise.
        public var headers: HTTPFields
        /// The body.
        public var body: Bytes
        /// What a real response's fields are checked for instead of equality.
        public var headerRules: [HTTPField.Name: ValueRule] = [:]
        /// What a real response's body is checked for. Default nil: JSON must hold at least the example, by value; any
        /// other body must be the same bytes.
        public var bodyRule: BodyRule?

        /// Makes a response.
        public init(status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: Bytes = Bytes()) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    /// An expected failure.
    public struct Failure: Sendable, Hashable {
        /// What the client's error says.
        public var code: NetError.Code
        /// For people.
        public var message: String

        /// Makes a failure.
        public init(_ code: NetError.Code, message: String = "") {
            self.code = code
            self.message = message
        }
    }

    /// Fields that clients and HTTP libraries add by themselves: strictness lets them be, recordings leave them out.
    public static let automaticHeaders: Set<HTTPField.Name> = Set(
        [
            "host", "content-length", "content-type", "transfer-encoding", "connection", "keep-alive", "te", "trailer",
            "expect", "upgrade", "http2-settings", "priority", "accept", "accept-encoding", "accept-language",
            "user-agent", "traceparent", "tracestate", "baggage", "x-request-id", "date", "server", "via", "age",
        ].compactMap { HTTPField.Name($0) })
}
