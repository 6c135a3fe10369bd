#if Server
public import NetTesting

/// What a server made from a document has seen.
public struct OpenAPIReport: Sendable {
    /// A request that is not what the document says.
    public struct Fault: Sendable, CustomStringConvertible {
        /// Counts the requests from 1, in the order in which they were checked.
        public let number: Int
        /// The request.
        public let request: StubRequest
        /// What is wrong with it.
        public let findings: [OpenAPIFinding]

        /// The request on a line, secrets hidden, and each finding on one.
        public var description: String {
            "\(number). \(request)" + findings.map { "\n  \($0)" }.joined()
        }
    }

    /// The requests that are not what the document says, oldest first; the newest 1,000.
    public let faults: [Fault]
    /// How many requests were not what the document says, those included that are not kept.
    public let faultCount: Int
    /// How many requests were checked.
    public let requestCount: Int
    /// How often each operation was asked, by its name, `GET /pets/{id}`; those that never were have zero.
    public let operations: [String: Int]
    /// Responses that could not be made as the document says: a schema that no value was found for. They were sent all
    /// the same, as near as it went.
    public let sampleFindings: [OpenAPIFinding]

    /// Whether every request was what the document says.
    public var passed: Bool { faultCount == 0 }

    /// Operations that were never asked, in order.
    public var unusedOperations: [String] { operations.filter { $0.value == 0 }.keys.sorted() }
}

/// Requests that were not what a document says.
public struct OpenAPINotKept: Error, Sendable, CustomStringConvertible {
    /// All that was seen.
    public let report: OpenAPIReport

    /// Each request with what is wrong with it.
    public var description: String {
        let shown = report.faults.suffix(20)
        let older = report.faultCount - shown.count
        return "\(report.faultCount) of \(report.requestCount) requests are not what the document says"
            + (older > 0 ? ", the first \(older) not shown" : "") + ":" + shown.map { "\n\($0)" }.joined()
    }
}
#endif
