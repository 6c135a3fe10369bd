internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One request on its way through a cache: carries out the cache's decision.
struct CacheExchange: Sendable {
    typealias Action = ActivityEvent.CacheDecision.Action
    typealias Reason = ActivityEvent.CacheDecision.Reason

    let cache: CacheMiddleware
    let request: PreparedRequest
    let wanted: CacheRequest
    let key: CacheKey
    /// The key of the URL without the request body: a change of the resource invalidates it.
    let target: CacheKey
    /// The position of this call among the cache's calls.
    var ticket: UInt64
    let context: CallContext
    let next: Next
    /// The freshness of the stored response that was selected, if the request is forwarded nevertheless; nil if none
    /// was selected.
    var selected: Freshness?

    var now: CacheMoment { CacheMoment(context.environment.clock) }

    /// True if nothing has invalidated the response since the call began.
    var mayStore: Bool {
        cache.state.mayStore(key, ticket: ticket)
            && (key == target || cache.state.mayStore(target, ticket: ticket))
    }

    func record(_ action: Action, _ reason: Reason, cause: String? = nil) {
        context.record(.cache(ActivityEvent.CacheDecision(action, reason, cause: cause)))
    }

    func carryOut(_ decision: CacheDecision) async throws(NetError) -> StreamedResponse {
        switch decision {
        case .bypass(let reason):
            record(.bypass, reason)
            return try await pass(reason)
        case .forward(.notStored, nil) where cache.state.isOfOtherIdentity(key):
            record(.miss, .otherIdentity)
            return try await forward(.otherIdentity, nil)
        case .forward(let reason, let fallback):
            record(.miss, reason)
            return try await forward(reason, fallback)
        case .serve(let hit, let reason, let refreshes):
            guard let response = await served(hit, reason) else { return try await forward(.notStored, nil) }
            if refreshes { refresh(hit.entry) }
            return response
        case .notModified(let hit):
            record(.hit, .conditional)
            return captured(notModified(hit), .hit, .conditional)
        case .validate(let hit, let reason, let fallback):
            record(.revalidate, reason)
            var exchange = self
            exchange.selected = hit.freshness
            return try await exchange.validate(hit, reason, fallback: fallback)
        case .complete(let entry):
            record(.miss, .range)
            return try await complete(entry)
        case .unavailable(let reason):
            record(.miss, .onlyIfCached)
            var response = StreamedResponse(head: ResponseHead(status: .gatewayTimeout))
            response.remark = ResponseRemark(insteadOf: CacheMiss(reason, wanted).error(context))
            note(CacheStatus.unavailable(.onlyIfCached), in: &response)
            return captured(response, .miss, .onlyIfCached)
        }
    }

    // MARK: Sending

    /// Sends the request unchanged. Only a method that changes something, or a response to POST, affects the store.
    private func pass(_ reason: Reason) async throws(NetError) -> StreamedResponse {
        let beginning = now
        var response = try await next(request, context)
        if !wanted.method.isSafe, !wanted.onlyReads, (200..<400).contains(response.status.code) {
            await invalidate(after: response.head)
            if wanted.method == .post, wanted.policy != .noStore, !wanted.control.noStore {
                // A new ticket, because the invalidation precedes this response, which may be stored.
                var exchange = self
                exchange.ticket = cache.state.ticket()
                return await exchange.stored(response, since: beginning, reason)
            }
        }
        noteForwarded(reason, .kept, in: &response)
        return response
    }

    /// Sends the request, and stores its response if that's allowed.
    func forward(_ reason: Reason, _ fallback: CacheDecision.Hit?) async throws(NetError) -> StreamedResponse {
        let beginning = now
        var request = request
        if wanted.policy == .reload, !wanted.headers.contains(.cacheControl) {
            request.head.headerFields[.cacheControl] = "no-cache"
        }
        let response: StreamedResponse
        do {
            response = try await next(request, context)
        } catch {
            if let fallback, let response = await served(fallback, insteadOf: error) { return response }
            throw error
        }
        if let fallback, let stale = await served(fallback, insteadOf: response) { return stale }
        return await received(response, since: beginning, reason)
    }

    /// Validates the stored response with its server.
    private func validate(
        _ hit: CacheDecision.Hit, _ reason: Reason, fallback: Bool
    ) async throws(NetError) -> StreamedResponse {
        let beginning = now
        var request = request
        hit.entry.validators(in: &request.head.headerFields)
        if wanted.policy == .revalidate, !wanted.headers.contains(.cacheControl) {
            request.head.headerFields[.cacheControl] = "max-age=0"
        }
        let response: StreamedResponse
        do {
            response = try await next(request, context)
        } catch {
            if fallback, let response = await served(hit, insteadOf: error) { return response }
            throw error
        }
        if fallback, let stale = await served(hit, insteadOf: response) { return stale }
        guard response.head.status == .notModified else {
            return await received(response, since: beginning, reason)
        }
        await response.discardBody()
        var fresh = hit
        fresh.entry = hit.entry.freshened(
            by: response.head, arrival: Arrival(at: now, requestedAt: beginning), isShared: cache.configuration.isShared
        )
        if mayStore { await cache.store.update(fresh.entry) }
        record(.update, .notModified)
        guard var served = await body(of: fresh, headers: fresh.entry.headers) else {
            // The stored response has been removed in the meantime.
            return try await forward(.notStored, nil)
        }
        // The headers of the 304, such as cookies, were just received.
        served.news = response.head.headers
        noteForwarded(reason, .kept, status: 304, in: &served)
        return captured(served, .update, .notModified)
    }

    // MARK: Serving

    /// Returns the stored response unchanged; nil if its body is gone.
    private func served(_ hit: CacheDecision.Hit, _ reason: Reason) async -> StreamedResponse? {
        guard var response = await body(of: hit, headers: StoredFields.served(hit.entry)) else { return nil }
        record(hit.freshness.isFresh ? .hit : .stale, reason)
        note(CacheStatus.hit(hit.freshness, reason), in: &response)
        return captured(response, hit.freshness.isFresh ? .hit : .stale, reason)
    }

    /// Returns the store's response after passing it to the listeners that capture served responses.
    private func captured(_ response: StreamedResponse, _ action: Action, _ reason: Reason) -> StreamedResponse {
        context.capturing(response, to: request, by: ActivityEvent.CacheDecision(action, reason))
    }

    /// Returns the stored response instead of the result of forwarding, which isn't a hit (RFC 9211 section 2.1); nil
    /// if its body is gone. The status is nil if there was no response.
    private func served(_ hit: CacheDecision.Hit, insteadOf status: Int?) async -> StreamedResponse? {
        guard var response = await body(of: hit, headers: StoredFields.served(hit.entry)) else { return nil }
        record(hit.freshness.isFresh ? .hit : .stale, .staleIfError)
        var exchange = self
        exchange.selected = hit.freshness
        exchange.noteForwarded(.staleIfError, .kept, status: status, in: &response)
        return captured(response, hit.freshness.isFresh ? .hit : .stale, .staleIfError)
    }

    private func served(_ hit: CacheDecision.Hit, insteadOf error: NetError) async -> StreamedResponse? {
        guard error.isWorthStale else { return nil }
        return await served(hit, insteadOf: nil as Int?)
    }

    private func served(_ hit: CacheDecision.Hit, insteadOf response: StreamedResponse) async -> StreamedResponse? {
        switch response.status.code {
        case 500, 502, 503, 504: break
        default: return nil
        }
        guard let stale = await served(hit, insteadOf: response.status.code) else { return nil }
        await response.discardBody()
        return stale
    }

    private func body(of hit: CacheDecision.Hit, headers: HTTPFields) async -> StreamedResponse? {
        var (status, headers) = (hit.entry.status, headers)
        var body = ResponseBody()
        if wanted.method != .head {
            guard let stored = await cache.body(of: hit, context) else { return nil }
            body = stored
        }
        if let slice = hit.slice, let place = hit.contentRange {
            status = .partialContent
            headers[.contentRange] = place.value
            headers[.contentLength] = String(slice.count)
        }
        let age = Freshness.age(of: hit.entry, now: now)
        headers[.age] = String(Int64(min(age, Double(CacheControl.maximumSeconds))))
        var response = StreamedResponse(
            head: ResponseHead(status: status, version: hit.entry.version, headers: headers), body: body)
        response.news = [:]
        return response
    }

    private func notModified(_ hit: CacheDecision.Hit) -> StreamedResponse {
        var headers = StoredFields.served(hit.entry)
        for name in [HTTPField.Name.contentLength, .contentEncoding, .contentRange, .setCookie] { headers[name] = nil }
        headers[.age] = String(Int64(min(hit.freshness.age, Double(CacheControl.maximumSeconds))))
        var response = StreamedResponse(
            head: ResponseHead(status: .notModified, version: hit.entry.version, headers: headers))
        response.news = [:]
        note(CacheStatus.hit(hit.freshness, .conditional), in: &response)
        return response
    }

    func note(_ status: @autoclosure () -> String, in response: inout StreamedResponse) {
        if cache.configuration.addsCacheStatus { response.append(cacheStatus: status()) }
    }

    /// Notes that the request was forwarded, and what became of the response.
    func noteForwarded(
        _ reason: Reason, _ outcome: CacheStatus.Outcome, status: Int?, in response: inout StreamedResponse
    ) {
        note(
            CacheStatus.forwarded(reason, wanted, selected: selected, status: status, outcome), in: &response)
    }

    /// Notes that the request was forwarded, and what became of this response to it.
    func noteForwarded(_ reason: Reason, _ outcome: CacheStatus.Outcome, in response: inout StreamedResponse) {
        noteForwarded(reason, outcome, status: response.status.code, in: &response)
    }
}

extension NetError {
    /// True if the network or the server caused the error: then a stale response is better than none.
    fileprivate var isWorthStale: Bool {
        if underlying is LoginIsGone { return false }
        return switch code {
        case .cancelled, .shutdown, .invalidRequest, .encoding, .middleware: false
        default: true
        }
    }
}
