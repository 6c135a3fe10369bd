internal import HTTPTypes
internal import NetCore
internal import Synchronization

extension DownloadTransfer {
    /// Evaluates the first response of an attempt, and loads its body.
    func receive(
        _ response: StreamedResponse, to question: DownloadAnswer.Question, of link: DownloadLinks.Link,
        by writer: DownloadWriter
    ) async -> Outcome {
        let head = response.head
        switch DownloadAnswer.judge(head, to: question) {
        case .whole(let length, let coding):
            do throws(DownloadError) {
                if try await hasExisting(head, length: length) {
                    response.body.cancel()
                    return .unchanged
                }
                try begin(head, length: length, coding, writer)
            } catch {
                response.body.cancel()
                return .ended(error)
            }
            return await load(response.body, of: [0..<(length ?? .max)], covering: 0..<(length ?? .max), writer)
        case .part(let range, let length):
            do throws(DownloadError) { try resume(head, length: length, writer) } catch {
                response.body.cancel()
                return .ended(error)
            }
            let missing = part.received.gaps(upTo: length ?? .max)
            return await load(response.body, of: missing, covering: range, writer)
        case .complete(let length):
            await response.discardBody()
            let part = part
            do throws(DownloadError) {
                try writer.post { () throws(DownloadError) in part.setLength(length) }
            } catch {
                return .ended(error)
            }
            return .loaded
        case let other:
            await response.discardBody()
            return outcome(other, head)
        }
    }

    /// Returns the outcome of a response that contains no bytes of the file.
    func outcome(_ answer: DownloadAnswer, _ head: ResponseHead) -> Outcome {
        let status = head.status.code
        switch answer {
        case .startOver(let reason): return .startOver(reason)
        case .unchanged: return .unchanged
        case .expired: return .expired(status: status)
        case .later: return .failed(.response(status: status, retryAfter: head[.retryAfter]))
        case .unusable(let reason): return .rejected(status: status, reason: reason)
        case .rejected, .part, .whole, .complete: return .rejected(status: status, reason: nil)
        }
    }

    /// Begins the file at its first byte.
    private func begin(
        _ head: ResponseHead, length: Int64?, _ coding: FileCoding?, _ writer: DownloadWriter
    ) throws(DownloadError) {
        var version = DownloadVersion(
            validators: DownloadValidators(head), length: length,
            fileName: head.fileName, coding: coding?.text)
        let type = head[.contentType].flatMap { MediaType($0) }
        version.isPacked = coding != nil && Packing(name: plannedName(version.fileName), type: type) != nil
        let (own, begun) = (ownDigests, version)
        state.withLock { state in
            (state.version, state.digests) = (begun, own)
            state.wantsWhole = false
            state.isJoined = false
            state.received = 0
            state.beginning = nil
        }
        learn(head)
        hash.begin(Set(state.withLock { $0.digests.keys }))
        let part = part
        try writer.post { () throws(DownloadError) in try part.begin(begun) }
        // The free space was checked a moment ago; it's checked again while the file is received.
        if let error = noRoom(free: state.withLock { $0.room }, rest: length ?? 0) { throw error }
        report(.began(total: length, bytes: 0, name: plannedName(version.fileName)))
    }

    /// Continues after the existing bytes.
    private func resume(_ head: ResponseHead, length: Int64?, _ writer: DownloadWriter) throws(DownloadError) {
        let (part, bytes, version) = (part, part.received.count, part.version)
        state.withLock { state in
            state.isJoined = true
            state.received = bytes
        }
        learn(head)
        hash.require(Set(state.withLock { $0.digests.keys }))
        if let length, version?.length == nil {
            state.withLock { $0.version?.length = length }
            try writer.post { () throws(DownloadError) in part.setLength(length) }
        }
        report(.began(total: length, bytes: bytes, name: plannedName(version?.fileName)))
    }

    /// Stores a response's information about the whole file: its type, digests and mirrors.
    private func learn(_ head: ResponseHead) {
        let announced = DownloadDigests.announced(by: head)
        let own = job.request.checksum
        state.withLock { state in
            state.type = head[.contentType].flatMap { MediaType($0) } ?? state.type
            // The caller's checksum takes precedence over the server's.
            for (algorithm, digest) in announced where algorithm != own?.algorithm {
                state.digests[algorithm] = digest
            }
            guard !state.digests.isEmpty, state.links.isOriginal else { return }
            state.links.add(mirrors: DownloadLinks.mirrors(head, of: state.links.current.url))
        }
    }
}
