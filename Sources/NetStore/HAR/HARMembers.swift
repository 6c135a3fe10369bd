internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The member `_netActivity` of an entry: data that HAR has no member for, so that a store reads its own file as the
/// same calls.
///
/// Durations and times are in microseconds. A call with several attempts has several entries; its first entry describes
/// the call as a whole.
struct HARMembers: Codable {
    /// The version of the format.
    static let current = 1

    var version = current
    /// The ID of the call.
    var call: String
    /// The number of the attempt; 0, -1, … for responses from a cache.
    var number: Int
    /// The number of entries of the call.
    var entries: Int
    /// The attempt; nil for a response from a cache.
    var attempt: Attempt?
    /// The captured data; nil if nothing was captured.
    var capture: Capture?
    /// The call, in its first entry; nil for a WebSocket whose call isn't stored.
    var item: Item?
    /// The WebSocket that the call opened, in the first entry.
    var socket: Item?

    struct Failure: Codable {
        var code, phase, message: String
    }

    struct Attempt: Codable {
        var start, end, duration: Int64?
        var queued, lookup, connect, secure, sending, waiting, download: Int64?
        /// Nil if they are the call's.
        var method, url: String?
        var status: Int?
        var error: Failure?
        var requestBytes, responseBytes: Int64?
        var version: String?
        var isReused: Bool?
        var remoteAddress, trace: String?
        var retryDelay: Int64?
        var retryReason: String?
    }

    struct Capture: Codable {
        /// Nil if there is no body.
        var request, response: Body?
        var status: Int?

        struct Body: Codable {
            var size: Int64?
            var isCut: Bool
        }
    }

    struct Item: Codable {
        var startedAt: Int64
        var duration: Int64?
        var outcome, status: Int?
        var method, operation, name: String?
        var tags: [String]?
        var url: String?
        var error: Failure?
        var message: String?
        var attempts, retries: Int
        var cache, cacheReason: String?
        var requestBytes, responseBytes: Int64?
        var requestType, responseType: String?
        var isReused: Bool?
        var version, remoteAddress, owner, detail, comment: String?
        var isPinned: Bool?
    }
}

// MARK: From a store

extension HARMembers {
    init(_ step: StoredStep, of detail: StoredDetail, socket: StoredItem?, isFirst: Bool, entries: Int) {
        let captured = detail.exchanges.first { $0.number == step.number }
        self.init(call: detail.item.uid.description, number: step.number, entries: entries)
        attempt = step.attempt.map { Attempt($0, of: detail.item) }
        capture = captured.map { Capture($0) }
        guard isFirst else { return }
        if detail.item.kind == .call { item = Item(detail.item) }
        self.socket = socket.map { Item($0) }
    }
}

extension HARMembers.Failure {
    fileprivate init(_ failure: StoredFailure) {
        self.init(code: failure.code, phase: failure.phase, message: failure.message)
    }

    fileprivate var stored: StoredFailure { StoredFailure(code: code, phase: phase, message: message) }
}

extension HARMembers.Attempt {
    fileprivate init(_ attempt: StoredAttempt, of item: StoredItem) {
        func time(_ duration: Duration?) -> Int64? { duration.map { StoredTime.microseconds(of: $0) } }
        let phases = attempt.phases
        (start, end, duration) = (time(attempt.start), time(attempt.end), time(attempt.duration))
        (queued, lookup, connect) = (time(phases.queued), time(phases.lookup), time(phases.connect))
        (secure, sending) = (time(phases.secure), time(phases.sending))
        (waiting, download) = (time(phases.waiting), time(phases.download))
        method = attempt.method == item.method ? nil : attempt.method
        url = attempt.url == item.url ? nil : attempt.url
        status = attempt.status
        error = attempt.failure.map(HARMembers.Failure.init)
        (requestBytes, responseBytes) = (attempt.requestBytes, attempt.responseBytes)
        (version, isReused, remoteAddress) = (attempt.version, attempt.isReused, attempt.remoteAddress)
        trace = attempt.trace?.description
        (retryDelay, retryReason) = (time(attempt.retryDelay), attempt.retryReason)
    }

    func stored(number: Int, of item: StoredItem) -> StoredAttempt {
        func time(_ value: Int64?) -> Duration? { value.flatMap { $0 >= 0 ? StoredTime.duration($0) : nil } }
        var attempt = StoredAttempt(number)
        (attempt.method, attempt.url) = (method ?? item.method, url ?? item.url)
        (attempt.start, attempt.end, attempt.duration) = (time(start), time(end), time(duration))
        attempt.phases = TransferPhases(
            queued: time(queued), lookup: time(lookup), connect: time(connect), secure: time(secure),
            sending: time(sending), waiting: time(waiting), download: time(download))
        (attempt.status, attempt.failure) = (status, error?.stored)
        (attempt.requestBytes, attempt.responseBytes) = (requestBytes, responseBytes)
        (attempt.version, attempt.isReused, attempt.remoteAddress) = (version, isReused, remoteAddress)
        attempt.trace = trace.flatMap { TraceParent($0) }
        (attempt.retryDelay, attempt.retryReason) = (time(retryDelay), retryReason)
        return attempt
    }
}

extension HARMembers.Capture {
    fileprivate init(_ exchange: StoredExchange) {
        request = exchange.request.map { Body(size: $0.size, isCut: $0.isCut) }
        response = exchange.response.map { Body(size: $0.size, isCut: $0.isCut) }
        status = exchange.status
    }
}

extension HARMembers.Item {
    init(_ item: StoredItem) {
        self.init(
            startedAt: StoredTime.microseconds(of: item.startedAt), attempts: item.attempts, retries: item.retries)
        duration = item.duration.map { StoredTime.microseconds(of: $0) }
        (outcome, status) = (item.outcome?.rawValue, item.status)
        (method, operation, name) = (item.method, item.operation, item.name)
        tags = item.tags.isEmpty ? nil : item.tags
        (url, error, message) = (item.url, item.failure.map(HARMembers.Failure.init), item.message)
        (cache, cacheReason) = (item.cache, item.cacheReason)
        (requestBytes, responseBytes) = (item.requestBytes, item.responseBytes)
        (requestType, responseType) = (item.requestType, item.responseType)
        (isReused, version, remoteAddress) = (item.isReused, item.version, item.remoteAddress)
        owner = item.owner?.description
        // The members that the detail of a call holds are written into the entry.
        (detail, comment) = (item.kind == .call ? nil : item.detail, item.comment)
        isPinned = item.isPinned ? true : nil
    }

    /// Returns the redacted entry.
    func stored(_ uid: CallID, _ kind: StoredItem.Kind, _ policy: RedactionPolicy) -> StoredItem {
        var item = StoredItem(id: 0, uid: uid, kind: kind, startedAt: StoredTime.date(startedAt))
        item.duration = duration.flatMap { $0 >= 0 ? StoredTime.duration($0) : nil }
        (item.outcome, item.status) = (outcome.flatMap(StoredItem.Outcome.init(rawValue:)), status)
        (item.method, item.operation, item.name, item.tags) = (method, operation, name, tags ?? [])
        item.url = url.map { policy.redact(url: $0) }
        item.host = item.url.flatMap { StoredURL.host(of: $0) }
        (item.failure, item.message) = (error?.stored, message)
        (item.attempts, item.retries) = (max(0, attempts), max(0, retries))
        (item.cache, item.cacheReason) = (cache, cacheReason)
        (item.requestBytes, item.responseBytes) = (requestBytes, responseBytes)
        (item.requestType, item.responseType) = (requestType, responseType)
        (item.isReused, item.version, item.remoteAddress) = (isReused, version, remoteAddress)
        item.owner = owner.flatMap(CallID.init(text:))
        (item.detail, item.comment, item.isPinned) = (kind == .call ? nil : detail, comment, isPinned ?? false)
        return item
    }
}
