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
            guard let next = nextQuestion() else { return .loaded }
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
        for name in [HTTPField.Name.range, .ifRange, .ifModifiedSince, .ifNoneMatch] { headers[name] = nil }
        if let range = question.range {
            let last = range.upperBound == .max ? "" : "\(range.upperBound - 1)"
            headers[.range] = "bytes=\(range.lowerBound)-\(last)"
            if question.comparesValidators { headers[.ifRange] = question.validators.condition }
        }
        if question.isConditional { headers[.ifNoneMatch] = question.validators.eTag }
        let settings = run.settings
        let options = RequestOptions { options in
            options.absoluteURL = link.url
            options.metadata = RequestMetadata(name: "download")
            options.validation = .any
            options.retry = .never
            options.decodesContent = false
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
    private func nextQuestion() -> DownloadAnswer.Question? {
        let (received, version) = (part.received, part.version)
        let wantsWhole = state.withLock { $0.wantsWhole }
        guard !wantsWhole, !received.isEmpty, let version, canJoin(version), isKept(version) else {
            return wholeQuestion
        }
        let gaps = received.gaps(upTo: version.length ?? .max)
        guard let first = gaps.first else { return nil }
        // The first gap is the rest of the file only if no received bytes follow it.
        let isRest = first.upperBound >= version.length ?? .max
        return DownloadAnswer.Question(
            range: first.lowerBound..<(isRest ? .max : first.upperBound), length: version.length,
            validators: version.validators, coding: version.coding,
            comparesValidators: comparesValidators(of: link))
    }

    /// Returns false if the bytes are decoded at the end: servers compress again for each response, and needn't do it in
    /// the same way.
    private func isKept(_ version: DownloadVersion) -> Bool {
        version.coding == nil || version.isPacked || state.withLock { !$0.digests.isEmpty }
    }

    /// Returns false if only the checksum shows that a link has the same file: mirrors have other validators, and so may
    /// the new link of a part that another one has begun.
    func comparesValidators(of link: DownloadLinks.Link) -> Bool {
        !link.isMirror && (job.identity.isRelinked != true || job.request.checksum == nil)
    }

    /// Returns true if a part of the version can be continued: its validator shows whether the file is the same, or a
    /// checksum verifies the result. Mirrors have different validators.
    func canJoin(_ version: DownloadVersion) -> Bool {
        state.withLock { state in
            !state.digests.isEmpty || (version.validators.condition != nil && state.links.isOriginal)
        }
    }

    private var wholeQuestion: DownloadAnswer.Question {
        guard let tag = state.withLock({ $0.existing?.eTag }) else { return DownloadAnswer.Question() }
        return DownloadAnswer.Question(validators: DownloadValidators(eTag: tag), isConditional: true)
    }
}
