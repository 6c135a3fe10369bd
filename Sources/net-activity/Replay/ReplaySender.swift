#if Tools
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetStore

/// Sends the request of a plan, once or repeatedly, and records the responses.
struct ReplaySender {
    /// The maximum number of bytes read of a response.
    static let maximumBytes = 64 << 20

    private let client: HTTPClient
    private let recorder: ReplayRecorder
    private let limit: Int
    private let request: PreparedRequest
    /// The method and URL, without secrets.
    private let name: String

    /// - Parameters:
    ///   - plan: The request.
    ///   - redaction: The policy that hides secrets.
    ///   - timeout: The timeout of a call; nil for the client's.
    ///   - store: The store that records the calls; nil for none.
    ///   - limit: The maximum number of bytes read of a response.
    init(
        _ plan: ReplayPlan, redaction: RedactionPolicy, timeout: Duration?, store: ActivityStore?,
        limit: Int = maximumBytes
    ) {
        self.limit = limit
        recorder = ReplayRecorder(limit: limit)
        var configuration = HTTPClient.Configuration(headers: [:])
        configuration.redirects = plan.followsRedirects ? .follow() : .manual
        // A body is meant for one server, like the credentials, which the client drops in a redirect to another origin.
        configuration.onRedirect = { redirect in
            let staysThere = redirect.request.origin == redirect.original.origin
            if case .none = redirect.request.body { return .follow() }
            return staysThere ? .follow() : .stop
        }
        configuration.redaction = redaction
        configuration.listeners = [recorder] + (store.map { [$0] } ?? [])
        if let timeout {
            configuration.timeouts = Timeouts(connect: timeout, firstByte: timeout, stall: timeout, total: timeout)
        }
        let client = HTTPClient(configuration: configuration)
        let usual = try? client.prepare(Request<Bytes>(url: "http://localhost/"))
        var request = plan.request(codings: usual?.head.headerFields[.acceptEncoding])
        request.options.redaction = redaction
        request.options.validation = .any
        request.options.metadata.tags = ["replay"]
        (self.client, self.request) = (client, request)
        name = "\(plan.method.rawValue) \(plan.shownURL)"
    }

    /// Sends the request once.
    func send() async throws(Failure) -> ReportEntry {
        var traces = client.traces.makeAsyncIterator()
        do throws(NetError) {
            let response = try await client.stream(prepared: request)
            var count = 0
            for try await chunk in response.body {
                count += chunk.count
                if count > limit {
                    response.body.cancel()
                    break
                }
            }
        } catch {
            // An invalid request is a usage error, every other failure a network error.
            let isCallers = error.code == .invalidRequest
            throw Failure(
                code: isCallers ? .usage : .file,
                description: "the response is incomplete: \(error.reason) (\(name))")
        }
        guard let trace = await traces.next() else {
            throw Failure(code: .file, description: "the call was not recorded")
        }
        return recorder.entry(trace)
    }
}
#endif
