public import NetCore
internal import NetRecord

/// Evidence of a call for people who don't have the store: request, trace, response, a recording that replays it, and
/// the result of a contract check, as one page of Markdown.
///
/// It contains only data that the store has captured, redacted as in the store.
///
///     let reader = try ActivityReader(path: "activity.sqlite")
///     if let item = try await reader.items(limit: 1).first,
///         let bundle = try await reader.proofBundle(of: item.uid)
///     {
///         print(bundle.markdown)
///     }
public struct ProofBundle: Sendable, Hashable {
    /// The maximum number of bytes shown of a body. The recording contains all captured bytes.
    private static let shownBytes = 64 << 10
    /// The maximum size of an included recording; for a larger one, only the size is shown.
    private static let mostRecordedBytes = 1 << 20

    /// The call, with attempts, captures and log lines.
    public var detail: StoredDetail
    /// The messages of the WebSocket that it opened.
    public var messages: [StoredMessage]
    /// The WebSocket that it opened; nil if it didn't open one.
    public var socket: StoredItem?
    /// The result of a contract check, as text; nil if none was made.
    public var contractReport: String?

    /// Creates a bundle.
    ///
    /// - Parameters:
    ///   - detail: The call.
    ///   - messages: The messages of the WebSocket that it opened. Default none.
    ///   - socket: That WebSocket. Default nil.
    ///   - contractReport: The result of a contract check, as text. Default nil: none was made.
    public init(
        _ detail: StoredDetail, messages: [StoredMessage] = [], socket: StoredItem? = nil, contractReport: String? = nil
    ) {
        self.detail = detail
        self.messages = messages
        self.socket = socket
        self.contractReport = contractReport
    }

    /// A title such as `getBook: 200`.
    public var title: String {
        let item = detail.item
        let name = item.operation ?? item.name ?? [item.method, item.url].compactMap { $0 }.joined(separator: " ")
        return "\(name): \(ProofText.result(of: item))"
    }

    /// The page as Markdown.
    public var markdown: String {
        var page = Markdown()
        page.heading(title, level: 1)
        page.table(["", ""], ProofText.facts(of: detail.item))
        request(&page)
        trace(&page)
        response(&page)
        if !messages.isEmpty {
            page.heading("Messages")
            page.table(["Time (UTC)", "", "Message"], messages.map(ProofText.row))
        }
        let lines = detail.owned.filter { $0.kind == .log }
        if !lines.isEmpty {
            page.heading("Log")
            page.table(["Time (UTC)", "Level", "Message"], lines.map(ProofText.line))
        }
        recording(&page)
        if let contractReport {
            page.heading("Contract")
            page.code(contractReport)
        }
        return page.text
    }

    private func request(_ page: inout Markdown) {
        page.heading("Request")
        let attempt = detail.attempts.first
        let line = [attempt?.method ?? detail.item.method, attempt?.url ?? detail.item.url].compactMap { $0 }
        guard let exchange = detail.exchanges.first(where: { $0.number > 0 }) ?? detail.exchanges.first else {
            page.code(line.joined(separator: " "), language: "http")
            return page.paragraph("Headers and body were not captured.")
        }
        let head = ProofText.lines(line.joined(separator: " "), exchange.requestHeaders)
        var (body, size) = (exchange.request, detail.item.requestBytes)
        if case .partial(let bytes, let whole) = StoredRequestBody(of: detail.item, attempt, exchange), bytes.isEmpty {
            guard let whole else {
                page.code(head, language: "http")
                return page.paragraph("The body was not captured.")
            }
            (body, size) = (nil, whole)
        }
        content(head, body, of: size, &page)
    }

    private func trace(_ page: inout Markdown) {
        guard !detail.attempts.isEmpty else { return }
        page.heading("Trace")
        page.table(
            [
                "Try", "From", "Result", "Lookup", "Connect", "TLS", "Sending", "Waiting", "Download", "Total",
                "Connection", "Then",
            ],
            detail.attempts.map(ProofText.row))
        let trace = detail.attempts.last?.trace
        if let trace { page.paragraph("`traceparent` of the last attempt: `\(trace.description)`") }
        let urls = detail.attempts.compactMap(\.url)
        if Set(urls).count > 1 {
            page.table(["Try", "URL"], detail.attempts.map { ["\($0.number)", $0.url ?? ""] })
        }
    }

    private func response(_ page: inout Markdown) {
        page.heading("Response")
        if let failure = detail.item.failure {
            page.paragraph(Markdown.inline(failure.text))
        }
        guard let exchange = detail.exchanges.last, let status = exchange.status ?? detail.item.status else {
            return page.paragraph(
                detail.item.status.map { "Status \($0); the rest was not captured." } ?? "No response.")
        }
        let version = (detail.attempts.last?.version ?? detail.item.version).map { "HTTP/\($0) " } ?? ""
        let head = ProofText.lines("\(version)\(status)", exchange.responseHeaders + exchange.trailers)
        content(head, exchange.response, of: detail.item.responseBytes, &page)
    }

    private func content(
        _ head: String, _ body: StoredExchange.Body?, of size: Int64?, _ page: inout Markdown
    ) {
        page.code(head, language: "http")
        guard let body else {
            if let size, size > 0 { page.paragraph("The body of \(TerminalText.bytes(size)) was not captured.") }
            return
        }
        let shown = body.bytes.prefix(Self.shownBytes)
        let whole = TerminalText.bytes(body.size ?? Int64(body.bytes.count))
        guard let text = ProofText.text(shown) else { return page.paragraph("A body of \(whole) that isn't text.") }
        if !text.isEmpty { page.code(text) }
        if body.isCut || shown.count < body.bytes.count {
            page.paragraph("This is the beginning of \(whole).")
        }
    }

    private func recording(_ page: inout Markdown) {
        let policy = RedactionPolicy.safeDefault
        let exchanges = detail.capturedExchanges(messages: messages, socket: socket).map {
            policy.withPlainMarks(policy.redact($0))
        }
        guard !exchanges.isEmpty else { return }
        page.heading("Recording")
        let har = Cassette(exchanges).har
        guard har.utf8.count <= Self.mostRecordedBytes else {
            let size = TerminalText.bytes(Int64(har.utf8.count))
            return page.paragraph("It has \(size): `net-activity export cassette` writes it.")
        }
        page.paragraph(
            "HAR 1.2: saved as `recording.har` it opens in the developer tools of a browser, and `ReplayTransport` "
                + "replays it.")
        page.code(String(har.dropLast()), language: "json")
    }
}

extension ActivityQueries {
    /// Returns the bundle of a call; nil if it isn't stored.
    ///
    /// - Parameters:
    ///   - call: The ID of the call.
    ///   - contractReport: The result of a contract check, as text. Default nil: none was made.
    public func proofBundle(
        of call: CallID, contractReport: String? = nil
    ) async throws(StoreError) -> ProofBundle? {
        guard let detail = try await item(uid: call, kind: .call) else { return nil }
        let socket = try await item(uid: call, kind: .socket)?.item
        let messages = try await messages(of: call)
        return ProofBundle(detail, messages: messages, socket: socket, contractReport: contractReport)
    }
}

extension ActivityStore {
    /// Saves a bundle as an artifact of the kind ``StoredArtifact/Kind/proofBundle`` that belongs to its call, and
    /// returns it. Throws the errors of ``save(_:named:body:summary:contentType:item:)``.
    @discardableResult
    public func save(_ bundle: ProofBundle) async throws(StoreError) -> StoredArtifact {
        try await save(
            .proofBundle, named: bundle.detail.item.uid.description, body: Bytes(bundle.markdown.utf8),
            summary: bundle.title, contentType: "text/markdown; charset=utf-8", item: bundle.detail.item.id)
    }
}
