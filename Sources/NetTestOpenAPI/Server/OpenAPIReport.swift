#if Server
public import NetTesting

/// The requests that an OpenAPI server has received, and their errors.
public struct OpenAPIReport: Sendable {
    /// A request that doesn't conform to the document.
    public struct Fault: Sendable, CustomStringConvertible {
        /// The number of the request, from 1, in the order of checking.
        public let number: Int
        /// The request.
        public let request: StubRequest
        /// The errors in the request.
        public let findings: [OpenAPIFinding]

        /// The request on one line, with secrets hidden, and each finding on another.
        public var description: String {
            "\(number). \(request)" + findings.map { "\n  \($0)" }.joined()
        }
    }

    /// The requests that don't conform to the document, oldest first; only the newest 1,000 are kept.
    public let faults: [Fault]
    /// The number of requests that don't conform to the document, including those that aren't kept.
    public let faultCount: Int
    /// The number of requests that were checked.
    public let requestCount: Int
    /// The number of calls of each operation, by its name, `GET /pets/{id}`; zero for operations that weren't called.
    public let operations: [String: Int]
    /// Errors in generated responses: no value was found that the schema accepts. Such a response is sent anyway, with
    /// the best value found.
    public let sampleFindings: [OpenAPIFinding]

    /// True if every request conformed to the document.
    public var passed: Bool { faultCount == 0 }

    /// Operations that were never called, sorted by name.
    public var unusedOperations: [String] { operations.filter { $0.value == 0 }.keys.sorted() }
}

/// An error for requests that don't conform to the document.
public struct OpenAPINotKept: Error, Sendable, CustomStringConvertible {
    /// The full report.
    public let report: OpenAPIReport

    /// Each request with its errors.
    public var description: String {
        let shown = report.faults.suffix(20)
        let older = report.faultCount - shown.count
        return "\(report.faultCount) of \(report.requestCount) requests don't match the document"
            + (older > 0 ? ", the first \(older) not shown" : "") + ":" + shown.map { "\n\($0)" }.joined()
    }
}
#endif
