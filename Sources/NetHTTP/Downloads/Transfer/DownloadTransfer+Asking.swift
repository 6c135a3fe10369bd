internal import HTTPTypes
internal import NetCore
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension DownloadTransfer {
    /// Makes one attempt: requests the missing bytes, and loads them.
    func attempt(_ writer: DownloadWriter) async -> Outcome {
        let question: DownloadAnswer.Question
        do throws(DownloadError) {
            if let error = noRoom(free: state.withLock { $0.room }) { throw error }
            guard let next = try await nextQuestion() else { return .loaded }
            question = next
        } catch {
            return .ended(error)
        }
        let link = link
        switch await ask(question, link, isExtra: false) {
        case .success(let response): return await receive(response, to: question, of: link, by: writer)
        case .failure(let failed): return failed.outcome
        }
    }

    /// A failure to get a response.
    struct Failed: Error {
        let outcome: Outcome
    }

    /// Sends a request and reports its response.
    func ask(
        _ question: DownloadAnswer.Question, _ link: DownloadLinks.Link, isExtra: Bool
    ) async -> Result<StreamedResponse, Failed> {
        do throws(NetError) {
            var request = try prepare(question, link)
            request.options.usesOwnConnection = isExtra
            let response = try await run.client.stream(prepared: request)
            report(
                .response(
                    status: response.status.code, type: response.head[.contentType].flatMap { MediaType($0) }))
            return .success(response)
        } catch {
            if Task.isCancelled { return .failure(Failed(outcome: .ended(cancelled))) }
            guard error.code != .invalidRequest else { return .failure(Failed(outcome: .ended(failure(error)))) }
            return .failure(Failed(outcome: .failed(.failure(error))))
        }
    }

    /// Returns the request for a question. The caller's headers override the client's, but not those that the
    /// download sets.
    func prepare(_ question: DownloadAnswer.Question, _ link: DownloadLinks.Link) throws(NetError) -> PreparedRequest {
        var headers = link.headers
        headers[.acceptEncoding] = "identity"
        (headers[.range], headers[.ifRange], headers[.ifModifiedSince]) = (nil, nil, nil)
        if let range = question.range {
            let last = range.upperBound == .max ? "" : "\(range.upperBound - 1)"
            headers[.range] = "bytes=\(range.lowerBound)-\(last)"
            if question.comparesValidators { headers[.ifRange] = question.validators.condition }
        }
        if question.isConditional { headers[.ifModifiedSince] = question.validators.lastModified }
        let settings = run.settings
        let options = RequestOptions { options in
            options.absoluteURL = link.url
            options.metadata = RequestMetadata(name: "download")
            options.validation = .any
            options.retry = .never
            options.cachePolicy = .noStore
            options.priority = job.request.priority
            options.timeouts = Timeouts(firstByte: settings.idleTimeout, stall: settings.idleTimeout, total: nil)
            options.middleware = [DownloadCallReport(report)]
            options.login = job.login
        }
        return try run.client.prepare(
            Request<Bytes>("", headers: headers, options: options, serializer: .bytes))
    }

    /// Returns the next request; nil if nothing is missing.
    private func nextQuestion() async throws(DownloadError) -> DownloadAnswer.Question? {
        let (received, version) = (part.received, part.version)
        let (wantsWhole, mayJoin) = state.withLock { ($0.wantsWhole, !$0.isCoded) }
        guard !wantsWhole, !received.isEmpty, mayJoin, let version, canJoin(version) else {
            return try await wholeQuestion()
        }
        let gaps = received.gaps(upTo: version.length ?? .max)
        guard let first = gaps.first else { return nil }
        // The first gap is the rest of the file only if no received bytes follow it.
        let isRest = first.upperBound >= version.length ?? .max
        return DownloadAnswer.Question(
            range: first.lowerBound..<(isRest ? .max : first.upperBound), length: version.length,
            validators: version.validators, comparesValidators: !link.isMirror)
    }

    /// Returns true if a part of the version can be continued: its validator shows whether the file is the same, or a
    /// checksum verifies the result. Mirrors have different validators.
    func canJoin(_ version: DownloadVersion) -> Bool {
        state.withLock { state in
            !state.digests.isEmpty || (version.validators.condition != nil && state.links.isOriginal)
        }
    }

    private func wholeQuestion() async throws(DownloadError) -> DownloadAnswer.Question {
        guard job.request.existing == .ask, let date = try await existingDate() else {
            return DownloadAnswer.Question()
        }
        return DownloadAnswer.Question(
            validators: DownloadValidators(lastModified: HTTPDate.string(from: date)), isConditional: true)
    }

    private func existingDate() async throws(DownloadError) -> Date? {
        let (folder, identity, name) = (run.folder, job.identity, plannedName(nil))
        return try await run.threads.run { () throws(DownloadError) in
            try folder.modified(named: name, in: identity.folder)
        }
    }
}
