#if Tools
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetStore

/// Sends the request of a plan, as often as it is told to, and records what comes back.
struct ReplaySender {
    /// More of a response isn't read.
    static let maximumBytes = 64 << 20

    private let client: HTTPClient
    private let recorder: ReplayRecorder
    private let limit: Int
    private let request: PreparedRequest
    /// Method and URL, without secrets.
    private let name: String

    /// - Parameters:
    ///   - plan: The request.
    ///   - redaction: What is hidden of it.
    ///   - timeout: The limit of a call; nil for the client's.
    ///   - store: The store that the calls are recorded in; nil for none.
    ///   - limit: The most bytes of a response that are read.
    init(
        _ plan: ReplayPlan, redaction: RedactionPolicy, timeout: Duration?, store: ActivityStore?,
        limit: Int = maximumBytes
    ) {
        self.limit = limit
        recorder = ReplayRecorder(limit: limit)
        var configuration = HTTPClient.Configuration(headers: [:])
        configuration.redirects = plan.followsRedirects ? .follow() : .manual
        // A body is meant for one server, like the credentials that the client leaves behind.
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
            // A request that can't be sent is the caller's, everything else the network's.
            let isCallers = error.code == .invalidRequest
            throw Failure(
                code: isCallers ? .usage : .file,
                description: "no whole response came: \(error.reason) (\(name))")
        }
        guard let trace = await traces.next() else {
            throw Failure(code: .file, description: "the call has left no trace")
        }
        return recorder.entry(trace)
    }
}
#endif
