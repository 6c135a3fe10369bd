internal import HTTPTypes
package import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Loads one file into a stream that can't be rewound, such as standard output: its bytes in order.
///
/// After a break it continues only if the server's validator shows that the rest is of the same version.
package struct DownloadStream: ~Copyable {
    private let settings = DownloadRun.Settings()
    private let client: HTTPClient
    private let request: DownloadRequest
    private var attempts: DownloadAttempts
    private var version: DownloadVersion?
    /// The number of bytes received.
    private var received: Int64 = 0
    /// The number of bytes written.
    private var written: Int64 = 0
    private var chain: CodingChain?
    private var hashes: BodyHashes?

    /// Creates a stream. Of the request's settings, those about files don't apply.
    package init(client: HTTPClient, request: DownloadRequest) {
        (self.client, self.request) = (client, request)
        attempts = DownloadAttempts(settings.retry, budget: nil, bytes: 0)
        hashes = request.checksum.map { BodyHashes([$0.algorithm]) }
    }

    /// Loads the file; returns the number of bytes written.
    ///
    /// Throws the error of `write`, `.changed` if the rest belongs to another version, `.checksumMismatch` after the
    /// last byte, and otherwise like a download. Cancelling the task ends it.
    package mutating func load(
        _ write: (Bytes) throws(DownloadError) -> Void
    ) async throws(DownloadError) -> Int64 {
        while let failure = try await attempt(write) {
            guard !Task.isCancelled else { throw error(.cancelled, "the transfer was cancelled") }
            guard received == 0 || version?.validators.condition != nil else {
                throw error(
                    .network,
                    "the transfer broke off after \(received) bytes, and nothing from the server shows whether the rest "
                        + "belongs to the same file; load it again")
            }
            try await wait(after: failure)
        }
        try compareChecksum()
        return written
    }

    /// Makes one attempt. Returns the failure after which another one may follow; nil once the last byte is written.
    private mutating func attempt(
        _ write: (Bytes) throws(DownloadError) -> Void
    ) async throws(DownloadError) -> RetryDecision.Result? {
        var question = DownloadAnswer.Question()
        if received > 0, let version {
            question = .init(
                range: received..<Int64.max, length: version.length, validators: version.validators,
                coding: version.coding)
        }
        let response: StreamedResponse
        do throws(NetError) {
            response = try await client.stream(prepared: try prepared(question))
        } catch {
            guard error.code != .invalidRequest else {
                throw self.error(.invalidURL, "the URL can't be requested: \(error.message)", error)
            }
            return .failure(error)
        }
        let status = response.status.code
        switch DownloadAnswer.judge(response.head, to: question) {
        case .whole(let length, let coding) where received == 0: begin(response.head, length, coding)
        case .part: break
        case .complete: return nil
        case .later:
            await response.discardBody()
            return .response(status: status, retryAfter: response.head[.retryAfter])
        case .whole, .startOver:
            response.body.cancel()
            throw error(
                .changed,
                "the transfer broke off after \(received) bytes, and the server now has another version, or sends no "
                    + "ranges; load the file again")
        case .expired, .rejected, .unchanged, .unusable:
            response.body.cancel()
            throw DownloadError(
                .rejected, message: "the response (status \(status)) isn't the file", url: request.url, status: status)
        }
        return try await receive(response.body, write)
    }

    /// Applies the head of the first response. The form depends on the name and the type only: what is written can't
    /// be taken back.
    private mutating func begin(_ head: ResponseHead, _ length: Int64?, _ coding: FileCoding?) {
        version = DownloadVersion(validators: DownloadValidators(head), length: length, coding: coding?.text)
        let name = DownloadName.choose(
            requested: request.fileName,
            disposition: head.fileName.map { ContentDisposition(kind: "attachment", filename: $0) }, url: request.url,
            id: UUID())
        let packing = Packing(name: name, type: head[.contentType].flatMap { MediaType($0) })
        chain = packing == nil ? coding?.decodable.map { CodingChain($0) } : nil
    }

    private mutating func receive(
        _ body: ResponseBody, _ write: (Bytes) throws(DownloadError) -> Void
    ) async throws(DownloadError) -> RetryDecision.Result? {
        var chunks = body.makeAsyncIterator()
        while true {
            let chunk: Bytes?
            do throws(NetError) {
                chunk = try await chunks.next()
            } catch {
                return .failure(error)
            }
            guard let chunk else { break }
            do throws(DownloadError) {
                try take(chunk, write)
            } catch {
                body.cancel()
                throw error
            }
        }
        if let length = version?.length, received < length {
            return .failure(
                NetError(
                    .connectionLost, phase: .receiving,
                    message: "the body ended at byte \(received) instead of \(length)"))
        }
        try chain?.finish()
        return nil
    }

    private mutating func take(_ chunk: Bytes, _ write: (Bytes) throws(DownloadError) -> Void) throws(DownloadError) {
        received += Int64(chunk.count)
        attempts.bytesCame(total: received)
        guard let chain else { return try put(chunk, write) }
        var pieces: [Bytes] = []
        try chain.decode(chunk) { piece throws(DownloadError) in pieces.append(piece) }
        for piece in pieces { try put(piece, write) }
    }

    private mutating func put(_ bytes: Bytes, _ write: (Bytes) throws(DownloadError) -> Void) throws(DownloadError) {
        try write(bytes)
        hashes?.update(bytes)
        written += Int64(bytes.count)
    }

    private mutating func wait(after failure: RetryDecision.Result) async throws(DownloadError) {
        var repeated: PreparedRequest
        do throws(NetError) { repeated = try prepared(.init()) } catch {
            throw self.error(.invalidURL, "the URL can't be requested: \(error.message)", error)
        }
        repeated.options.retry = .always
        let configuration = client.configuration
        let verdict = attempts.failed(
            failure, request: repeated, date: configuration.clock.date(), random: configuration.random.unit())
        switch verdict {
        case .again(_, let wait):
            do { try await configuration.clock.sleep(for: wait) } catch {
                throw self.error(.cancelled, "the transfer was cancelled")
            }
        case .stop: throw self.failure(failure, "")
        case .exhausted(let note): throw self.failure(failure, "; \(note)")
        }
    }

    private mutating func compareChecksum() throws(DownloadError) {
        guard let checksum = request.checksum else { return }
        let found = hashes?.finish()[checksum.algorithm]
        guard found == checksum.digest else {
            throw error(
                .checksumMismatch,
                "what was written has the \(checksum.algorithm.rawValue) digest \(found?.hexadecimal ?? "(unknown)") instead "
                    + "of \(checksum.hexadecimal); don't use it")
        }
    }

    private func prepared(_ question: DownloadAnswer.Question) throws(NetError) -> PreparedRequest {
        var headers = request.headers
        headers[.acceptEncoding] = "identity"
        (headers[.range], headers[.ifRange]) = (nil, nil)
        if let range = question.range {
            headers[.range] = "bytes=\(range.lowerBound)-"
            headers[.ifRange] = question.validators.condition
        }
        let (url, idle) = (request.url, settings.idleTimeout)
        let options = RequestOptions { options in
            options.absoluteURL = url
            options.metadata = RequestMetadata(name: "download")
            options.validation = .any
            options.retry = .never
            options.decodesContent = false
            options.cachePolicy = .noStore
            options.timeouts = Timeouts(firstByte: idle, stall: idle, total: nil)
        }
        return try client.prepare(Request<Bytes>("", headers: headers, options: options, serializer: .bytes))
    }

    private func error(_ code: DownloadError.Code, _ message: String, _ underlying: NetError? = nil) -> DownloadError {
        DownloadError(code, message: message, url: request.url, underlying: underlying)
    }

    private func failure(_ result: RetryDecision.Result, _ note: String) -> DownloadError {
        switch result {
        case .failure(let cause): error(.network, "the file couldn't be loaded: \(cause.reason)\(note)", cause)
        case .response(let status, _):
            DownloadError(
                .retriesExhausted, message: "the server responded with status \(status) instead of the file\(note)",
                url: request.url, status: status)
        }
    }
}
