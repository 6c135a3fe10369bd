internal import HTTPTypes
public import NetCore
internal import NetRecord

extension Contract.Expectation {
    /// Expects a request like this one: its method, path, query, body, metadata, and the header fields that aren't
    /// ``Contract/automaticHeaders``. Values that the policy hides may be anything; so may a streamed body.
    ///
    /// For a typed call, get the request from the client that would send it:
    ///
    ///     let expected = Contract.Expectation(
    ///         "get-user", try client.prepare(GetUser(id: 7)), .json(["id": 7, "name": "Ada"]))
    ///     print(expected.id)
    ///
    /// - Parameters:
    ///   - id: The ID for reports.
    ///   - request: The request.
    ///   - outcome: The outcome of the request.
    ///   - redaction: The policy whose hidden values may be anything, in addition to the request's own policy. Default nil: the
    ///     request's own policy, otherwise ``RedactionPolicy/safeDefault``. A placeholder other than `<redacted>` must equal the contract's wildcard.
    public init(
        _ id: String, _ request: PreparedRequest, _ outcome: Contract.Outcome, redaction: RedactionPolicy? = nil
    ) {
        let recorded = CapturedExchange.Request(
            method: request.head.method, url: request.url, headers: request.head.headerFields,
            body: CapturedBody(StubRequest(request).body))
        self.init(
            id, recorded, outcome,
            RecordedRules(
                recorded,
                policy: redaction.map { $0.joined(with: request.options.redaction) } ?? request.options.redaction
                    ?? .safeDefault))
        metadata = request.options.metadata
        if case .stream = request.body { body = .anything }
    }

    fileprivate init(
        _ id: String, _ request: CapturedExchange.Request, _ outcome: Contract.Outcome, _ rules: RecordedRules
    ) {
        self.init(id, request.method, rules.path, outcome)
        query = rules.query
        headers = rules.headers
        body = rules.body
    }
}

extension Contract {
    /// Creates a contract from a recording: an expectation for each exchange, in order, named `prefix-1`, `prefix-2`
    /// and so on. Values that are hidden in the recording, or by the policy, may be anything.
    ///
    /// Throws `.decoding` for a file that can't be read, and for a response that was recorded only in part. Pauses,
    /// trailers and WebSockets aren't part of a contract.
    ///
    /// - Parameters:
    ///   - name: The contract's name.
    ///   - path: The cassette, or a HAR file.
    ///   - prefix: The prefix of the IDs. Default nil: the contract's name.
    ///   - redaction: The policy whose hidden values may be anything; its placeholder becomes the ``wildcard``.
    public init(
        _ name: String, cassette path: String, prefix: String? = nil, redaction: RedactionPolicy = .safeDefault
    ) throws(NetError) {
        let cassette: Cassette
        do { cassette = try Cassette.read(from: path) } catch { throw NetError(error) }
        try self.init(name, exchanges: cassette.exchanges, prefix: prefix ?? name, redaction: redaction)
    }

    /// Creates a contract from the exchanges that a transport has recorded; see ``init(_:cassette:prefix:redaction:)``.
    public init(
        _ name: String, recordedBy recording: RecordingTransport, prefix: String? = nil,
        redaction: RedactionPolicy = .safeDefault
    ) throws(NetError) {
        try self.init(name, exchanges: recording.cassette.exchanges, prefix: prefix ?? name, redaction: redaction)
    }

    package init(
        _ name: String, exchanges: [CapturedExchange], prefix: String, redaction: RedactionPolicy
    ) throws(NetError) {
        self.init(name, wildcard: redaction.placeholder)
        for (index, exchange) in exchanges.enumerated() where !exchange.isHandshake {
            let id = "\(prefix)-\(index + 1)"
            let outcome = try Outcome(redaction.redact(exchange).outcome, id)
            let rules = RecordedRules(exchange.request, policy: redaction)
            expectations.append(Expectation(id, exchange.request, outcome, rules))
        }
    }
}

extension Contract.Outcome {
    fileprivate init(_ outcome: CapturedExchange.Outcome, _ id: String) throws(NetError) {
        switch outcome {
        case .failure(let failure): self = .failure(.init(failure))
        case .response(let response):
            if response.body.isCut {
                throw NetError(
                    .decoding, phase: .preparing,
                    message: "\(id): only \(response.body.keptCount) bytes of the response were recorded; "
                        + "record it again with a larger maximumBodyBytes")
            }
            if let failure = response.body.failure {
                self = .failure(.init(failure))
                return
            }
            var headers = HTTPFields()
            for field in response.headers
            where field.name == .contentType || !Contract.automaticHeaders.contains(field.name) {
                headers.append(field)
            }
            self = .response(.init(status: response.status, headers: headers, body: response.body.bytes))
        }
    }
}

extension Contract.Failure {
    fileprivate init(_ failure: CapturedExchange.Failure) {
        self.init(NetError.Code(rawValue: failure.code), message: failure.message)
    }
}
