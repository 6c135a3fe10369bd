internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension CacheExchange {
    /// Updates the store with a response that isn't served from it, and returns the response.
    func received(
        _ response: StreamedResponse, since beginning: CacheMoment, _ reason: Reason
    ) async -> StreamedResponse {
        let isSuccess = response.head.isSuccess
        if wanted.method == .head || response.head.status == .notModified {
            if response.difference == nil, isSuccess || response.head.status == .notModified {
                await freshen(by: response.head, since: beginning)
            }
            var noted = response
            noteForwarded(reason, .kept, in: &noted)
            return noted
        }
        return await stored(response, since: beginning, reason)
    }

    /// Stores the response if that's allowed, and returns it; a body that's still arriving is stored while it is read.
    func stored(_ response: StreamedResponse, since beginning: CacheMoment, _ reason: Reason) async -> StreamedResponse
    {
        var response = response
        var circumstances = StoreDecision.Circumstances(
            id: CacheEntry.ID(rawValue: context.environment.random.next()), key: key,
            arrival: Arrival(at: now, requestedAt: beginning), rules: cache.rules)
        circumstances.difference = response.difference
        circumstances.setsCookies = response.head[.setCookie] != nil
        circumstances.isOfTarget = response.head[.contentLocation].flatMap(sibling) == key
        let decision = StoreDecision.decide(wanted, head: response.head, circumstances)
        let outcome: CacheStatus.Outcome
        switch decision {
        case .skip(let reason, let replaces):
            let cause = reason == .otherIdentity ? response.difference?.description : nil
            record(.skippedStore, reason, cause: cause)
            // The response to another login says nothing about the responses stored for this one.
            if replaces, reason != .otherIdentity { await cache.store.remove(key, where: isReplaced(by: nil)) }
            outcome = .skipped(reason, cause: cause)
        case .store(let entry):
            outcome = await store(entry, &response)
        }
        noteForwarded(reason, outcome, in: &response)
        return response
    }

    /// Stores the response. A body that is still arriving is reported as stored, although it's stored only once it
    /// has been read.
    private func store(_ entry: CacheEntry, _ response: inout StreamedResponse) async -> CacheStatus.Outcome {
        let isReplaced = isReplaced(by: entry)
        let length = bodyLength(of: response, entry)
        let limit = cache.configuration.maximumBodyBytes
        guard response.body.cut == nil, length ?? 0 <= limit,
            let writer = await cache.store.begin(entry, length: length)
        else {
            record(.skippedStore, .tooLarge)
            await cache.store.remove(key, where: isReplaced)
            return .skipped(.tooLarge, cause: nil)
        }
        let tee = TeeBodySource(
            response.body, length: length, limit: limit, writer: writer, replacing: isReplaced,
            mayStore: { mayStore },
            ended: { [context] end in
                context.record(.cache(end.decision))
            })
        cache.state.stored(key)
        guard let whole = response.body.whole else {
            response.body = ResponseBody(source: tee)
            return .stored
        }
        // The body is complete already; it's stored without waiting for a consumer to read it.
        let (metrics, trailers) = (response.body.metrics, response.body.trailers)
        _ = try? await ResponseBody(source: tee).drain()
        response.body = ResponseBody(whole, metrics: metrics, trailers: trailers)
        let decision = (tee.end ?? .incomplete).decision
        return decision.action == .store ? .stored : .skipped(decision.reason, cause: nil)
    }

    /// Returns the length that the stored body must have; nil if it's unknown.
    private func bodyLength(of response: StreamedResponse, _ entry: CacheEntry) -> Int64? {
        if let whole = response.body.whole { return Int64(whole.count) }
        guard entry.coding != .decoded, entry.status != .noContent else { return nil }
        return response.head[.contentLength].flatMap { Int64($0) }
    }

    /// Returns a predicate for the entries that a response to this request replaces: those that would have been served.
    private func isReplaced(by entry: CacheEntry?) -> @Sendable (CacheEntry) -> Bool {
        let (headers, options, identity) = (wanted.selecting, wanted.options, wanted.identity)
        return { old in
            guard old.suits(options), old.selection.matches(headers, language: nil, identity: identity) else {
                return false
            }
            // A part replaces parts, and a complete response that is outdated.
            guard let entry, entry.part != nil, old.part == nil else { return true }
            return old.strongTag == nil || old.strongTag != entry.strongTag
        }
    }

    /// Updates the stored responses with headers that arrived without a body (RFC 9111 sections 4.3.4 and 4.3.5).
    private func freshen(by head: ResponseHead, since beginning: CacheMoment) async {
        let isHead = head.status != .notModified
        for entry in await cache.store.entries(for: key)
        where entry.selection.matches(wanted.selecting, language: nil, identity: wanted.identity) {
            if isHead ? entry.agrees(with: head.headers) : entry.strongTag != nil && entry.strongTag == head[.eTag] {
                let fresh = entry.freshened(
                    by: head, arrival: Arrival(at: now, requestedAt: beginning), isShared: cache.configuration.isShared)
                await cache.store.update(fresh)
                record(.update, isHead ? .headResponse : .notModified)
            } else if isHead, !entry.isOutdated {
                var outdated = entry
                outdated.isOutdated = true
                await cache.store.update(outdated)
                record(.invalidate, .headResponse)
            }
        }
    }

    /// Invalidates the responses stored for a URL that a method has changed, and for the URLs that the response
    /// refers to (RFC 9111 section 4.4).
    func invalidate(after head: ResponseHead) async {
        // The responses stored for everyone are outdated too.
        var keys: Set<CacheKey> = [target, target.forEveryone]
        for name in [HTTPField.Name.location, .contentLocation] {
            guard let text = head[name], let sibling = sibling(text) else { continue }
            keys.formUnion([sibling, sibling.forEveryone])
        }
        for key in keys {
            cache.state.invalidate(key)
            await cache.store.remove(key)
        }
        if cache.configuration.onlyReads != nil {
            // Only the store knows the request bodies for which it holds responses of the URL.
            await cache.store.removeAll { [keys] entry in keys.contains { entry.key.isForBody(under: $0) } }
        }
        record(.invalidate, .unsafeMethod)
    }

    /// The key of a reference that a response holds, if it has the same origin.
    private func sibling(_ reference: String) -> CacheKey? { target.sibling(reference).map(cache.rewritten) }
}
