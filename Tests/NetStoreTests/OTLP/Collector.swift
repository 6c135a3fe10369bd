import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Synchronization

@testable import NetStore

/// A collector that a test writes the responses of.
final class Collector: Sendable {
    /// One request.
    struct Received: Sendable {
        let path: String
        let headers: HTTPFields
        /// The body without its compression.
        let body: JSONValue

        /// All spans or log records.
        var elements: [JSONValue] {
            let (outer, inner, list) =
                path.hasSuffix("traces")
                ? ("resourceSpans", "scopeSpans", "spans") : ("resourceLogs", "scopeLogs", "logRecords")
            return (body[outer]?.arrayValue ?? []).flatMap { resource in
                (resource[inner]?.arrayValue ?? []).flatMap { $0[list]?.arrayValue ?? [] }
            }
        }

        /// The numbers of the entries in it, each once.
        var items: [Int] {
            var seen = Set<Int>()
            return elements.compactMap { $0.attribute("swift_net.item")?["intValue"]?.stringValue.flatMap { Int($0) } }
                .filter { seen.insert($0).inserted }
        }
    }

    typealias Answer = @Sendable (_ number: Int, _ request: Received) -> StubResponse

    private let received = Mutex<[Received]>([])

    /// The requests, those that failed too.
    var requests: [Received] { received.withLock { $0 } }
    /// The numbers of the entries in all requests, in order.
    var items: [Int] { requests.flatMap(\.items) }

    static let accepted = StubResponse.json(text: "{}")

    /// The stubs of this collector: each request, counted from 1, gets an answer.
    func stubs(_ answer: @escaping Answer = { _, _ in Collector.accepted }) -> [Stub] {
        ["/v1/traces", "/v1/logs"].map { path in
            Stub(.post, PathTemplate(path)) { [self] request in
                let whole =
                    request.headers[.contentEncoding] == "gzip"
                    ? InflatedBody.whole(Array(request.body)) ?? Bytes() : request.body
                let body = (try? JSONCoding.standard.decode(JSONValue.self, from: whole)) ?? .null
                let value = Received(path: path, headers: request.headers, body: body)
                let number = received.withLock { received in
                    received.append(value)
                    return received.count
                }
                return answer(number, value)
            }
        }
    }

    /// A client whose requests all come here.
    func client(
        listeners: [any ActivityListener] = [], _ answer: @escaping Answer = { _, _ in Collector.accepted }
    ) -> HTTPClient {
        HTTPClient(
            configuration: HTTPClient.Configuration(listeners: listeners), transport: MockTransport(stubs(answer)))
    }
}

extension JSONValue {
    /// The value of an attribute by its key.
    func attribute(_ key: String) -> JSONValue? {
        self["attributes"]?.arrayValue?.first { $0["key"]?.stringValue == key }?["value"]
    }
}

extension OTLPExporter.Configuration {
    /// Settings for the collector of a test.
    static func test(_ change: (inout Self) -> Void = { _ in }) -> Self {
        var configuration = Self(endpoint: "http://collector.test:4318")
        // A busy machine is no collector that is silent.
        configuration.timeout = .seconds(300)
        change(&configuration)
        return configuration
    }
}
