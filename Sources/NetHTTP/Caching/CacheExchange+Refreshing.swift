internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension CacheExchange {
    /// Refreshes an entry in the background, in a separate call; at most one per entry at a time.
    func refresh(_ entry: CacheEntry) {
        guard cache.state.beginRefreshing(entry) else { return }
        var request = request
        // Requests the whole representation, not only the range that the caller requested.
        for name in [HTTPField.Name.range, .ifRange] { request.head.headerFields[name] = nil }
        request.options.cachePolicy = .default
        request.options.progress = nil
        request.options.onInterimResponse = nil
        // Begins before the stored response is returned: from then on, `cancelAll()` cancels this call too.
        let call = context.beginCall(request, delivery: .streamed)
        let ticket = cache.state.ticket()
        let renewal = Next { [self] (request, context) async throws(NetError) -> StreamedResponse in
            var wanted = CacheRequest(request, context)
            wanted.onlyReads = self.wanted.onlyReads
            let exchange = CacheExchange(
                cache: cache, request: request, wanted: wanted, key: key, target: target, ticket: ticket,
                context: context, next: next)
            return try await exchange.renew(entry)
        }
        Task {
            try? await call.run(through: renewal) { response in _ = try await response.body.drain() }
            cache.state.endRefreshing(entry)
        }
    }

    private func renew(_ entry: CacheEntry) async throws(NetError) -> StreamedResponse {
        let hit = CacheDecision.Hit(
            entry: entry, freshness: Freshness(of: entry, now: now, isShared: cache.configuration.isShared))
        return try await carryOut(
            entry.hasValidator && !wanted.onlyReads
                ? .validate(hit, .refreshInBackground, fallback: false) : .forward(.refreshInBackground))
    }

    /// Requests the rest of a part, and joins the two if the server confirms that they belong together (RFC 9111
    /// section 3.4).
    func complete(_ entry: CacheEntry) async throws(NetError) -> StreamedResponse {
        guard let place = entry.part?.range, let total = place.total, let tag = entry.strongTag else {
            return try await forward(.range, nil)
        }
        let beginning = now
        var request = request
        request.head.headerFields[.range] = "bytes=\(place.bytes.upperBound)-"
        request.head.headerFields[.ifRange] = tag
        let response = try await next(request, context)
        guard response.head.status == .partialContent else {
            // A new complete response, or an error.
            return await received(response, since: beginning, .range)
        }
        let rest = response.head[.contentRange].flatMap { ContentRange($0) }
        guard rest == ContentRange(bytes: place.bytes.upperBound..<total, total: total), response.head[.eTag] == tag,
            response.head[.contentEncoding] == nil,
            let first = await cache.store.body(of: entry, slice: nil)
        else {
            response.body.cancel()
            await cache.store.remove(key) { $0.id == entry.id }
            return try await forward(.range, nil)
        }
        var headers = StoredFields.updated(
            entry.headers, by: response.head.headers, isShared: cache.configuration.isShared)
        headers[.contentRange] = nil
        headers[.contentLength] = String(total)
        var whole = StreamedResponse(
            head: ResponseHead(status: .ok, version: response.head.version, headers: headers),
            body: ResponseBody(source: JoinedBodySource(first, response.body)))
        whole.news = response.head.headers
        return await received(whole, since: beginning, .range)
    }
}
