internal import HTTPTypes
internal import NetCore
internal import NetCrypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension UploadTransfer {
    /// Begins the upload. The creation request includes a small file, or a file of any size if the server may not
    /// support resumption.
    mutating func create(on server: UploadServer, _ source: UploadSource) async -> Outcome {
        let bytes = firstBytes(server, source.length)
        var fields = UploadHeaders(server: server, size: source.length).creation(upload, bytes: bytes)
        let method = server.kind == .tus ? .post : HTTPRequest.Method(upload.method) ?? .post
        do throws(NetError) {
            if server.kind != .tus, upload.sendsDigest || server.wantsDigest {
                let digest = try await run.threads.threads.run { () throws(NetError) in
                    try source.digest(of: 0..<source.length, .sha256)
                }
                self.digest = digest
                fields.setDigests([.sha256: digest], .reprDigest)
            }
            var request = try prepare(
                method, job.request.url, fields, bytes > 0 ? body(source, 0..<bytes) : .bytes([], contentType: nil))
            let step = UploadAnswer.Step.creation(isWhole: bytes == source.length)
            guard server.kind == .resumable || server.kind == .unknown else {
                return await send(request, as: step, bytes: bytes)
            }
            let (offers, continuation) = AsyncStream.makeStream(
                of: UploadResource.self, bufferingPolicy: .bufferingNewest(1))
            let transfer = self
            request.options.onInterimResponse = { head in
                if let offer = transfer.offer(head, of: server) { continuation.yield(offer) }
            }
            return await send(request, as: step, bytes: bytes, offers, continuation)
        } catch {
            return source.isChanged ? .changed : .ended(failure(error))
        }
    }

    /// Sends a request, and stores the upload resources that interim responses offer while its body is still being
    /// sent.
    private mutating func send(
        _ request: PreparedRequest, as step: UploadAnswer.Step, bytes: Int64, _ offers: AsyncStream<UploadResource>,
        _ continuation: AsyncStream<UploadResource>.Continuation
    ) async -> Outcome {
        let transfer = self
        let result = await withTaskGroup(of: Result<(ResponseHead, Bytes), Failed>.self) { group in
            group.addTask {
                defer { continuation.finish() }
                switch await transfer.ask(request) {
                case .failure(let failed): return .failure(failed)
                case .success(let response): return .success((response.head, await Self.collect(response)))
                }
            }
            for await offer in offers { await keep(offer) }
            // In a cancelled task, iterating a stream ends early, and the request ends as well.
            return await group.next() ?? .failure(Failed(outcome: .ended(cancelled)))
        }
        switch result {
        case .failure(let failed): return failed.outcome
        case .success(let (head, body)): return await take(head, body, to: step, sent: bytes)
        }
    }

    /// Returns the number of bytes in the body of the creation request.
    private func firstBytes(_ server: UploadServer, _ size: Int64) -> Int64 {
        switch server.kind {
        case .tus:
            return server.createsWithBytes && size <= min(Self.maximumFirstBytes, requestLimit(server)) ? size : 0
        case .plain, .unknown: return size
        case .resumable:
            let limit = requestLimit(server)
            if size <= min(Self.maximumFirstBytes, limit) { return size }
            // A server with a minimum doesn't accept an empty request.
            return server.limits.minimumRequest ?? 0 > 0 ? min(size, limit) : 0
        }
    }

    /// Returns the upload resource that an interim response offers; nil if the response isn't one of the draft, or
    /// has a different version.
    private func offer(_ head: ResponseHead, of server: UploadServer) -> UploadResource? {
        guard head.status.code == 104, head.count(.interopVersion).map({ $0 == server.interop }) ?? true else {
            return nil
        }
        return resource(head, of: server)
    }

    /// Returns the upload resource that a response announces; nil if it has no usable `Location`.
    private func resource(_ head: ResponseHead, of server: UploadServer) -> UploadResource? {
        guard let url = location(of: head, at: job.request.url) else { return nil }
        var server = server
        if server.kind == .unknown { server.kind = .resumable }
        server.limits.take(UploadLimits(head))
        let clock = run.client.configuration.clock
        let expires =
            head[.uploadExpires].flatMap { HTTPDate.date(from: $0) }
            ?? server.limits.age.map { clock.date().addingTimeInterval(Double($0)) }
        return UploadResource(url: url, server: server, expires: expires?.timeIntervalSince1970)
    }

    /// Returns the absolute URL from a response's `Location`; nil if there is none, or if it isn't encrypted although
    /// the target is.
    ///
    /// A server behind a proxy that terminates TLS often uses `http` for its own URL: for the same host, `https` is
    /// used instead.
    func location(of head: ResponseHead, at base: String) -> String? {
        guard let text = head[.location] else { return nil }
        let origin = URLReference(base)
        var url = URLReference(text).resolved(against: origin)
        url.fragment = nil
        if origin.scheme?.lowercased() == "https", url.scheme?.lowercased() == "http" {
            guard url.authority?.lowercased() == origin.authority?.lowercased() else { return nil }
            url.scheme = "https"
        }
        return (try? BaseURL(url.description)).map { _ in url.description }
    }

    /// Processes a response.
    mutating func take(_ head: ResponseHead, _ body: Bytes, to step: UploadAnswer.Step, sent bytes: Int64) async
        -> Outcome
    {
        guard let source, let server else { return .ended(cancelled) }
        switch UploadAnswer.judge(head, to: step, of: server.kind) {
        case .created(let count):
            guard let begun = resource(head, of: server) else {
                return .ended(rejection(head, "its Location isn't a URL that the file can be sent to"))
            }
            await keep(begun)
            return arrived(count ?? (server.kind == .tus || bytes == 0 ? 0 : nil), head, body, source)
        case .offset(let count): return arrived(count, step == .offset ? nil : head, body, source)
        case .accepted: return arrived(nil, head, body, source)
        case .done: return .done(step == .offset ? nil : head, body)
        case .gone: return .gone
        case .conflict:
            // The next step requests the offset. A server that keeps contradicting itself isn't asked forever.
            offset = nil
            conflicts += 1
            return conflicts <= Self.maximumRestarts
                ? .next : .ended(rejection(head, "it rejects the offset that it reported"))
        case .damaged:
            return .failed(
                .failure(
                    NetError(
                        .connectionLost, phase: .sending,
                        message: "the server received other bytes than were sent: their checksum was wrong")))
        case .locked: return .locked(retryAfter: head[.retryAfter])
        case .tooLarge: return shrink(head, step, source)
        case .later: return .failed(.response(status: head.status.code, retryAfter: head[.retryAfter]))
        case .rejected: return .ended(rejection(head, nil))
        case .unusable(let reason): return .ended(rejection(head, reason))
        }
    }

    /// Applies an offset; if it's nil, the next step requests it.
    private mutating func arrived(_ count: Int64?, _ head: ResponseHead?, _ body: Bytes, _ source: UploadSource)
        -> Outcome
    {
        if let count, count > source.length {
            return .ended(
                DownloadError(
                    .rejected,
                    message: "the server says that it has \(count) bytes of a file of \(source.length); upload it again"
                )
            )
        }
        take(offset: count)
        // A tus upload is complete once all bytes have arrived. The draft has an explicit completing request.
        return server?.kind == .tus && count == source.length ? .done(head, body) : .next
    }

    /// Continues with smaller requests after a 413, if the upload can be resumed and a smaller size remains to be
    /// tried.
    private mutating func shrink(_ head: ResponseHead, _ step: UploadAnswer.Step, _ source: UploadSource) -> Outcome {
        let limits = UploadLimits(head)
        server?.limits.take(limits)
        if let problem = limits.problem(size: source.length) { return .ended(rejection(head, problem)) }
        guard case .bytes = step, let resource = upload.resource else { return .ended(rejection(head, nil)) }
        let tried = min(requestLimit(resource.server), source.length - (offset ?? 0))
        let smaller = limits.maximumRequest ?? Self.smallerRequests.first { $0 < tried }
        guard let smaller, smaller < tried, smaller >= resource.server.limits.minimumRequest ?? 0 else {
            return .ended(rejection(head, nil))
        }
        smallerRequest = smaller
        offset = nil
        return .next
    }

    private func rejection(_ head: ResponseHead, _ reason: String?) -> DownloadError {
        let status = head.status.code
        let known: String? =
            switch status {
            case 401, 403: "the credentials don't allow the upload"
            case 404, 405: "no uploads are accepted there; check the URL"
            case 412: "it doesn't support tus 1.0.0"
            case 413: "the file is larger than the server accepts"
            case 415: "it doesn't accept files of this type"
            case 507: "its disk is full; free some space there, then retry"
            default: nil
            }
        return DownloadError(
            .rejected,
            message: "the server responded to the upload with status \(status)"
                + ((reason ?? known).map { ": \($0)" } ?? ""),
            status: status)
    }
}
