internal import HTTPTypes
public import NetCore
internal import NetRecord

extension Contract.Expectation {
    /// Expects a request like this one: method, path, query, body, metadata, and the fields that are not
    /// ``Contract/automaticHeaders``. What the policy hides may have any value; a streamed body may be any.
    ///
    /// The request of a typed call comes from the client that would send it:
    ///
    ///     let expected = Contract.Expectation(
    ///         "get-user", try client.prepare(GetUser(id: 7)), .json(["id": 7, "name": "Ada"]))
    ///     print(expected.id)
    ///
    /// - Parameters:
    ///   - id: Names it in reports.
    ///   - request: The request.
    ///   - outcome: How it ends.
    ///   - redaction: What may have any value. Default nil: the request's own policy, else
    ///     ``RedactionPolicy/safeDefault``. Another placeholder than `<redacted>` must be the contract's wildcard.
    public init(
        _ id: String, _ request: PreparedRequest, _ outcome: Contract.Outcome, redaction: RedactionPolicy? = nil
    ) {
        let recorded = CapturedExchange.Request(
            method: request.head.method, url: request.url, headers: request.head.headerFields,
            body: CapturedBody(StubRequest(request).body))
        self.init(
            id, recorded, outcome,
            RecordedRules(recorded, policy: redaction ?? request.options.redaction ?? .safeDefault))
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
    /// Makes a contract of a recording: an expectation for each exchange, in their order, named `prefix-1`, `prefix-2`
    /// and so on. What is hidden in the recording, or by the policy, may have any value.
    ///
    /// Throws `.decoding` for a file that cannot be read, and for a response of which only a part was recorded. Pauses,
    /// trailers and WebSockets are not part of a contract.
    ///
    /// - Parameters:
    ///   - name: The contract's name.
    ///   - path: The cassette, or a HAR file.
    ///   - prefix: What the ids begin with. Default nil: the contract's name.
    ///   - redaction: What may have any value; its placeholder becomes the ``wildcard``.
    public init(
        _ name: String, cassette path: String, prefix: String? = nil, redaction: RedactionPolicy = .safeDefault
    ) throws(NetError) {
        let cassette: Cassette
        do { cassette = try Cassette.read(from: path) } catch { throw NetError(error) }
        try self.init(name, exchanges: cassette.exchanges, prefix: prefix ?? name, redaction: redaction)
    }

    /// Makes a contract of what a transport has recorded; as ``init(_:cassette:prefix:redaction:)``.
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
