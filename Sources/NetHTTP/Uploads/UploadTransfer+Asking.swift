internal import HTTPTypes
internal import NetCore
internal import NetCrypto

/// The requests of an upload.
extension UploadTransfer {
    /// A failure to get a response.
    struct Failed: Error {
        let outcome: Outcome
    }

    /// Returns a request to a URL. The caller's headers are sent only to the origin they're meant for; the protocol's
    /// headers override them.
    func prepare(
        _ method: HTTPRequest.Method, _ url: String, _ fields: HTTPFields, _ body: RequestBody?, total: Duration? = nil
    ) throws(NetError) -> PreparedRequest {
        var headers = isSameOrigin(url) ? job.request.headers : HTTPFields()
        for field in fields { headers[field.name] = field.value }
        let timeout = run.settings.idleTimeout
        let options = RequestOptions { options in
            options.absoluteURL = url
            options.metadata = RequestMetadata(name: "upload")
            options.validation = .any
            options.retry = .never
            options.cachePolicy = .noStore
            options.priority = job.request.priority
            options.timeouts = Timeouts(firstByte: timeout, stall: timeout, total: total)
            options.middleware = [DownloadCallReport(report)]
            options.login = job.login
        }
        return try run.client.prepare(
            Request<Bytes>(
                "", method: method, headers: headers, body: body ?? .none, options: options, serializer: .bytes))
    }

    /// Sends a request and reports its response.
    func ask(_ request: PreparedRequest) async -> Result<StreamedResponse, Failed> {
        do throws(NetError) {
            let response = try await run.client.stream(prepared: request)
            report(
                .response(status: response.status.code, type: response.head[.contentType].flatMap { MediaType($0) }))
            return .success(response)
        } catch {
            if Task.isCancelled { return .failure(Failed(outcome: .ended(cancelled))) }
            if source?.isChanged == true { return .failure(Failed(outcome: .changed)) }
            guard error.code != .invalidRequest else { return .failure(Failed(outcome: .ended(failure(error)))) }
            return .failure(Failed(outcome: .failed(.failure(error))))
        }
    }

    /// Sends a request without a body.
    func ask(_ method: HTTPRequest.Method, _ url: String, _ fields: HTTPFields) async -> Result<
        StreamedResponse, Failed
    > {
        do throws(NetError) {
            return await ask(try prepare(method, url, fields, nil))
        } catch {
            return .failure(Failed(outcome: .ended(failure(error))))
        }
    }

    /// Returns a body with a range of the file.
    func body(_ source: UploadSource, _ range: Range<Int64>) -> RequestBody {
        let (run, report) = (run, report)
        return RequestBody { _ in
            RequestBody.Resolved(
                .stream(length: Int64(range.count), isReplayable: true) {
                    UploadBody(source, range, threads: run.threads, limit: run.limit) { report(.bytes($0)) }
                })
        }
    }

    /// Discovers the server's protocol, and checks the file against its limits.
    mutating func discover(_ source: UploadSource) async -> Outcome {
        guard upload.uploadProtocol != .plain else {
            server = UploadServer(.plain)
            return .next
        }
        let question: HTTPFields = [.interopVersion: "\(UploadServer.newestInterop)"]
        switch await ask(.options, job.request.url, question) {
        case .failure(let failed): return failed.outcome
        case .success(let response):
            await response.discardBody()
            let (head, status) = (response.head, response.status.code)
            let found = UploadServer(head, wanted: upload.uploadProtocol)
            let isAnnounced = UploadServer(head, wanted: .automatic).kind != .unknown
            if !isAnnounced, DownloadAnswer.laterStatuses.contains(status) {
                return .failed(.response(status: status, retryAfter: head[.retryAfter]))
            }
            if let problem = found.limits.problem(size: source.length) {
                return .ended(
                    DownloadError(.rejected, message: "\(problem); upload a smaller file, or use another server"))
            }
            server = found
            return .next
        }
    }

    /// Requests the offset.
    mutating func ask(_ resource: UploadResource, _ source: UploadSource) async -> Outcome {
        let headers = UploadHeaders(server: resource.server, size: source.length)
        switch await ask(.head, resource.url, headers.question) {
        case .failure(let failed): return failed.outcome
        case .success(let response):
            await response.discardBody()
            return await take(response.head, Bytes(), to: .offset, sent: 0)
        }
    }

    /// Sends all missing bytes, or as many as one request may contain.
    mutating func sendBytes(from start: Int64, to resource: UploadResource, _ source: UploadSource) async -> Outcome {
        let end = start + min(source.length - start, requestLimit(resource.server))
        let headers = UploadHeaders(server: resource.server, size: source.length)
        var fields = headers.bytes(at: start, count: end - start)
        if resource.server.kind == .tus, start == source.length { return .done(nil, Bytes()) }
        do throws(NetError) {
            if resource.server.kind == .tus, let name = resource.server.checksum {
                let digest = try await run.threads.threads.run { () throws(NetError) in
                    try source.digest(of: start..<end, name == "sha512" ? .sha512 : .sha256)
                }
                fields[.uploadChecksum] = "\(name) \(Base64.encode(digest))"
            }
            let request = try prepare(.patch, resource.url, fields, body(source, start..<end))
            return await send(request, as: .bytes(isLast: end == source.length), bytes: end - start)
        } catch {
            return source.isChanged ? .changed : .ended(failure(error))
        }
    }

    /// Sends a request with a body, and processes its response.
    mutating func send(_ request: PreparedRequest, as step: UploadAnswer.Step, bytes: Int64) async -> Outcome {
        switch await ask(request) {
        case .failure(let failed): return failed.outcome
        case .success(let response):
            let body = await Self.collect(response)
            return await take(response.head, body, to: step, sent: bytes)
        }
    }

    /// Returns the body of a response; empty if it exceeds the limit or is incomplete.
    static func collect(_ response: StreamedResponse) async -> Bytes {
        do throws(NetError) {
            return try await response.body.collect(upTo: UploadedFile.maximumBodyBytes)
        } catch {
            return Bytes()
        }
    }

    /// Deletes an upload from the server. Errors are ignored.
    func delete(_ resource: UploadResource) async {
        guard resource.server.terminates else { return }
        let headers = UploadHeaders(server: resource.server, size: 0)
        guard let request = try? prepare(.delete, resource.url, headers.question, nil, total: Self.maximumDeletion)
        else { return }
        if case .success(let response) = await ask(request) { await response.discardBody() }
    }

    /// The maximum number of bytes in one request.
    func requestLimit(_ server: UploadServer) -> Int64 {
        let wished = max(upload.requestBytes ?? .max, server.limits.minimumRequest ?? 1)
        let checked = server.kind == .tus && server.checksum != nil ? Self.checkedBytes : .max
        return min(wished, server.limits.maximumRequest ?? .max, smallerRequest ?? .max, checked)
    }

    private func isSameOrigin(_ url: String) -> Bool {
        guard let own = try? BaseURL(job.request.url), let other = try? BaseURL(url) else { return false }
        return own.origin == other.origin
    }
}
