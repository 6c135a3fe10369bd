internal import NetCore
internal import NetCrypto
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Tasks that a new request continues, instead of beginning another one: the part of the file stays.
extension DownloadBoard {
    /// The input of a continued task.
    struct Continuation: Sendable {
        var request: DownloadRequest
        var place: DownloadPlace
        var upload: UploadIdentity?
        var login: CallLogin?
    }

    /// Continues a task of an earlier manager with a new request for the same file. Returns false if it's in the list
    /// already. Throws `.alreadyQueued` if the request's URL belongs to another task.
    func restore(_ found: RestoredDownload, as new: Continuation) throws(DownloadError) -> Bool {
        let network = state.withLock { $0.status }
        let verdict = new.request.network.verdict(on: network)
        return try change { (state, effects) throws(DownloadError) in
            if state.observers.hasEnded { throw .shutDown }
            let id = found.identity.id
            guard state.records[id] == nil else { return false }
            if let other = state.queue.owner(of: new.place.url) {
                throw Self.error(.isQueued(other), url: new.request.url, limit: state.queue.limit)
            }
            var upload = new.upload
            upload?.fingerprint = found.identity.upload?.fingerprint
            upload?.resource = found.identity.upload?.resource
            insert(
                found.task(new.request), new.request, upload, new.place, found.identity.order, &state, &effects
            ) { record in
                (record.login, record.owner) = (new.login, SealedNames(new.login?.names ?? [], random: random))
                record.isRelinked = found.identity.isRelinked == true || found.identity.url != new.request.url
            }
            perform(
                state.queue.restore(
                    id, url: new.place.url, host: new.place.host, priority: new.request.priority,
                    order: found.identity.order, isPaused: false, isAllowed: verdict == .isAllowed), &state, &effects)
            perform(state.queue.start(), &state, &effects)
            return true
        }
    }

    /// Continues a failed task of the list with a new request for the same file; returns its ID. Nil if there is none.
    func retry(as new: Continuation) throws(DownloadError) -> UUID? {
        try change { (state, effects) throws(DownloadError) in
            guard state.queue.owner(of: new.place.url) == nil else { return nil }
            let failed = state.failed.compactMap { state.records[$0] }.filter { $0.isOwned(by: new.login) }
            let found =
                failed.first { $0.place.url == new.place.url }
                ?? failed.first {
                    $0.upload == nil && new.upload == nil && new.request.replaces($0.request, $0.task.fileName)
                }
            guard let id = found?.task.id else { return nil }
            var queue = state.queue
            queue.replace(url: new.place.url, host: new.place.host, of: id)
            let actions: [Queue.Action]
            do throws(Queue.Refusal) {
                actions = try queue.retry(id)
            } catch {
                throw Self.error(error, url: new.request.url, limit: queue.limit)
            }
            state.queue = queue
            state.records[id]?.replace(new.request, new.place, login: new.login)
            perform(actions, &state, &effects)
            return id
        }
    }
}

extension DownloadRecord {
    /// True if the task belongs to the user with this login, or if neither has a user.
    fileprivate func isOwned(by other: CallLogin?) -> Bool {
        owner.map { $0.contains(exactly: other?.names ?? []) } ?? CallLogin.areEqual(login, other)
    }
}

extension RestoredDownload {
    /// The size of the file; nil if it isn't known.
    package var total: Int64? { version?.length ?? identity.upload?.fingerprint?.version.length }

    /// The task for a request: that of the journal, or a new one for the same file.
    func task(_ request: DownloadRequest) -> DownloadTask {
        let upload = identity.upload
        var task = DownloadTask(
            id: identity.id, request: request, kind: upload == nil ? .download : .upload, createdAt: identity.createdAt)
        (task.bytes, task.total) = (received, total)
        task.fileName = request.fileName ?? version?.fileName
        return task
    }

    /// Returns true if a new request is for the file of this task, and from its user.
    func isContinued(by new: DownloadBoard.Continuation) -> Bool {
        guard finished == nil, identity.owner.map({ $0.contains(exactly: new.login?.names ?? []) }) ?? true else {
            return false
        }
        if let place = try? DownloadPlace(identity), place.url == new.place.url { return true }
        guard identity.failure != nil, identity.upload == nil, new.upload == nil else { return false }
        return new.request.replaces(DownloadRequest(identity), version?.fileName)
    }
}

extension DownloadRequest {
    /// Returns true if this request is a new link to the file of another one that has failed: the folder and the chosen
    /// name are the same, or the URLs differ only in signatures.
    ///
    /// - Parameter fileName: The name that the file of the other request has.
    func replaces(_ other: DownloadRequest, _ fileName: String?) -> Bool {
        guard (folder ?? "") == (other.folder ?? "") else { return false }
        guard let requested = self.fileName.flatMap(DownloadName.safe) else {
            return other.fileName == nil && Self.unsigned(url) == Self.unsigned(other.url)
        }
        let name = DownloadName.choose(
            requested: other.fileName,
            disposition: fileName.map { ContentDisposition(kind: "attachment", filename: $0) }, url: other.url,
            id: UUID())
        return requested == name
    }

    /// The items of a query that say until when a signature is valid.
    private static let times: Set<String> = [
        "expires", "x-amz-date", "x-amz-expires", "x-goog-date", "x-goog-expires", "se", "st", "ske", "skt",
    ]

    /// Returns a URL with secrets replaced, and without the times of its signature.
    private static func unsigned(_ url: String) -> String {
        let redacted = RedactionPolicy.safeDefault.redact(url: url)
        guard let mark = redacted.firstIndex(of: "?") else { return redacted }
        let items = redacted[mark...].dropFirst().split(separator: "&").filter { item in
            !times.contains(item.prefix { $0 != "=" }.lowercased())
        }
        return redacted[..<mark] + "?" + items.joined(separator: "&")
    }
}
