internal import HTTPTypes
internal import NetCore

/// Sends one batch, with as many retries as needed.
struct OTLPSender: Sendable {
    /// The result of sending a batch.
    enum Outcome: Sendable, Hashable {
        case settled(sent: Int, rejected: Int)
        /// The batch must be split into smaller ones.
        case tooLarge
    }

    /// The number of consecutive responses that aren't OTLP or report a permanent failure, after which an export ends.
    static let maximumOdd = 10

    let client: any APIClient
    let configuration: OTLPExporter.Configuration
    let url: String
    /// Updates the statistics.
    let note: @Sendable ((inout OTLPStatistics) -> Void) -> Void

    /// The next step after a request.
    private enum Step {
        case done(Outcome)
        case again(after: Duration?)
        /// The response wasn't OTLP, or the collector has failed. If this continues, the export throws this error.
        case odd(OTLPError)
    }

    /// Sends a batch until it's settled. Throws if the collector refuses it for a reason that applies to all batches,
    /// if the client can't send, or if the task is cancelled.
    func send(_ body: Bytes, count: Int, entries: Int) async throws(OTLPError) -> Outcome {
        var (attempt, odd) = (0, 0)
        var pause: Duration?
        while true {
            if Task.isCancelled { throw .cancelled }
            attempt += 1
            note { [isRetry = attempt > 1] statistics in
                statistics.requests += 1
                statistics.retries += isRetry ? 1 : 0
                statistics.bytes += Int64(body.count)
            }
            var wanted: Duration?
            switch try await sendOnce(body, count: count, entries: entries) {
            case .done(let outcome): return outcome
            case .again(let delay): (wanted, odd) = (delay, 0)
            case .odd(let error):
                odd += 1
                if odd >= Self.maximumOdd { throw error }
            }
            let computed = configuration.backoff.delay(
                afterAttempt: attempt, previous: pause, random: configuration.random.unit())
            let next = wanted.map { min($0, configuration.maximumRetryAfter) } ?? computed
            pause = next
            do {
                try await configuration.clock.sleep(for: next)
            } catch {
                throw .cancelled
            }
        }
    }

    private func sendOnce(_ body: Bytes, count: Int, entries: Int) async throws(OTLPError) -> Step {
        let response: Response<Bytes>
        do throws(NetError) {
            response = try await client.raw(request(body))
        } catch {
            try judge(error)
            return error.code == .bodyTooLarge ? .odd(notOTLP) : .again(after: nil)
        }
        let verdict = OTLPVerdict(
            response.head, response.value, count: count, rejectedCount: configuration.signal.rejectedCount,
            now: configuration.clock.date())
        switch verdict {
        case .accepted(let rejected, let message):
            if rejected > 0 || message != nil { noteError(partial(rejected, message)) }
            return .done(.settled(sent: count - rejected, rejected: rejected))
        case .rejected:
            noteError("the collector rejected a batch of \(count) with \(said(response))")
            return .done(.settled(sent: 0, rejected: count))
        case .tooLarge where entries > 1: return .done(.tooLarge)
        case .tooLarge:
            noteError("the collector rejected an entry, for its size, with \(said(response))")
            return .done(.settled(sent: 0, rejected: count))
        case .refused: throw refusal(response)
        case .retry(let delay):
            noteError("the collector responded with \(said(response))")
            return .again(after: delay)
        case .unreadable:
            noteError("the collector's response is not OTLP: \(said(response))")
            return .odd(notOTLP)
        case .failed:
            noteError("the collector responded with \(said(response))")
            return .odd(refusal(response))
        }
    }

    private func request(_ body: Bytes) -> Request<Bytes> {
        var headers = configuration.headers
        headers[.contentType] = "application/json"
        if configuration.isCompressed { headers[.contentEncoding] = "gzip" }
        let options = RequestOptions {
            $0.absoluteURL = url
            $0.metadata = RequestMetadata(name: "OTLP export", tags: [OTLPEntry.tag])
            $0.validation = .any
            $0.timeouts = .total(configuration.timeout)
            $0.maximumResponseBytes = configuration.maximumResponseBytes
            // Retries are decided only here, where the OTLP specification's rules are known.
            $0.retryPolicy = RetryPolicy(maximumAttempts: 1)
            $0.redirects = .manual
            $0.cachePolicy = .noStore
        }
        return Request<Bytes>(
            "", method: .post, headers: headers, body: .bytes(body, contentType: nil), options: options)
    }

    // MARK: Errors

    /// Throws if the same request can't succeed after this error.
    private func judge(_ error: NetError) throws(OTLPError) {
        switch error.code {
        case .cancelled where Task.isCancelled: throw .cancelled
        case .invalidRequest, .encoding, .unsupported, .shutdown, .authentication, .middleware, .notCached, .cancelled:
            throw OTLPError(.client, message: "the client can't send to \(url): \(shown(error.message))")
        default: noteError("no response from \(url): \(error.code): \(shown(error.message))")
        }
    }

    private var notOTLP: OTLPError {
        OTLPError(.notOTLP, message: "the responses of \(url) are not OTLP. Check the endpoint")
    }

    private func refusal(_ response: Response<Bytes>) -> OTLPError {
        let status = response.head.status.code
        let advice =
            switch status {
            case 401, 403, 407: "Check the credentials in the headers"
            case 300..<400, 404, 405: "Check the endpoint"
            default: "Nothing was sent; the next export begins there"
            }
        return OTLPError(.refused, message: "\(url) responded with \(said(response)). \(advice)", status: status)
    }

    private func partial(_ rejected: Int, _ message: String?) -> String {
        let reason = message.map { ": " + shown($0) } ?? ""
        return rejected > 0
            ? "the collector rejected \(rejected) of a batch\(reason)" : "the collector warns\(reason)"
    }

    private func noteError(_ text: String) { note { $0.lastError = text } }

    /// Returns the status, with the message in the body if there is one.
    private func said(_ response: Response<Bytes>) -> String {
        let status = String(response.head.status.code)
        let answer = try? JSONCoding.standard.decode(JSONValue.self, from: response.value)
        guard let message = answer?["message"]?.stringValue, !message.isEmpty else { return status }
        return "\(status): \(shown(message))"
    }

    /// Returns a peer's text without any header values: a collector may repeat the token that it refuses.
    private func shown(_ text: String) -> String {
        var text = String(text.prefix(4096))
        for field in configuration.headers {
            let words = field.value.split(separator: " ").map(String.init)
            for secret in [field.value] + words where secret.utf8.count > 3 {
                text = text.replacing(secret, with: "…")
            }
        }
        return String(TerminalText.clean(text).prefix(200))
    }
}
