import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import Synchronization

@testable import NetStore

/// A collector whose responses are specified by a test.
final class Collector: Sendable {
    /// One request.
    struct Received: Sendable {
        let path: String
        let headers: HTTPFields
        /// The decompressed body.
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

        /// The numbers of its entries, each once.
        var items: [Int] {
            var seen = Set<Int>()
            return elements.compactMap { $0.attribute("swift_net.item")?["intValue"]?.stringValue.flatMap { Int($0) } }
                .filter { seen.insert($0).inserted }
        }
    }

    typealias Answer = @Sendable (_ number: Int, _ request: Received) -> StubResponse

    private let received = Mutex<[Received]>([])

    /// The requests, including failed ones.
    var requests: [Received] { received.withLock { $0 } }
    /// The numbers of the entries in all requests, in order.
    var items: [Int] { requests.flatMap(\.items) }

    static let accepted = StubResponse.json(text: "{}")

    /// Returns the stubs of this collector; each request, counted from 1, gets a response.
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

    /// Returns a client whose requests all go to this collector.
    func client(
        listeners: [any ActivityListener] = [], _ answer: @escaping Answer = { _, _ in Collector.accepted }
    ) -> HTTPClient {
        var configuration = HTTPClient.Configuration(listeners: listeners)
        // A busy machine may be slower than the default.
        configuration.timeouts = Timeouts(firstByte: nil, stall: nil)
        return HTTPClient(configuration: configuration, transport: MockTransport(stubs(answer)))
    }
}

extension JSONValue {
    /// Returns the value of an attribute by its key.
    func attribute(_ key: String) -> JSONValue? {
        self["attributes"]?.arrayValue?.first { $0["key"]?.stringValue == key }?["value"]
    }
}

extension OTLPExporter.Configuration {
    /// Returns settings for the collector of a test.
    static func test(_ change: (inout Self) -> Void = { _ in }) -> Self {
        var configuration = Self(endpoint: "http://collector.test:4318")
        // Long, so that a slow response on a busy machine isn't a silent collector.
        configuration.timeout = .seconds(300)
        change(&configuration)
        return configuration
    }
}
