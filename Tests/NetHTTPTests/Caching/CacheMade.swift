import Foundation
import HTTPTypes
import NetCore

@testable import NetHTTP

/// Requests and stored responses of one resource, without a client.
enum CacheMade {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let url = "https://h.test/x"

    static func moment(after seconds: Double) -> CacheMoment {
        CacheMoment(date: start.addingTimeInterval(seconds), reading: .seconds(1000 + seconds))
    }

    static func key(_ url: String = CacheMade.url) -> CacheKey {
        CacheKey(url: url) ?? CacheKey(stored: url, partition: "", identity: .everyone)
    }

    static func request(
        _ headers: HTTPFields = [:], method: HTTPRequest.Method = .get, policy: CachePolicy = .default,
        body: RequestBody.Content = .none, _ change: (inout PreparedRequest) -> Void = { _ in }
    ) -> CacheRequest {
        let head = HTTPRequest(
            method: method, scheme: "https", authority: "h.test", path: "/x", headerFields: headers)
        var request = PreparedRequest(head: head, body: body)
        request.options.cachePolicy = policy
        change(&request)
        return CacheRequest(request, CallContext(for: request))
    }

    static func entry(
        _ headers: HTTPFields = [.cacheControl: "max-age=60"], status: HTTPResponse.Status = .ok, id: UInt64 = 1,
        after seconds: Double = 0, delay: Duration = .zero, length: Int64 = 10,
        coding: CacheEntry.Coding = .none, part: CacheEntry.Part? = nil, vary: [VarySelection.Field] = [],
        key: CacheKey = CacheMade.key(), tags: [String] = []
    ) -> CacheEntry {
        let arrival = moment(after: seconds)
        var entry = CacheEntry(
            id: .init(rawValue: id), key: key, status: status, headers: headers,
            arrival: Arrival(date: arrival.date, reading: arrival.reading, delay: delay), tags: tags,
            selection: VarySelection(headers: vary), coding: coding, part: part)
        entry.bodyLength = length
        return entry
    }

    /// A description of a decision: the action, the reason and further properties.
    static func words(_ decision: CacheDecision) -> String {
        switch decision {
        case .bypass(let reason): "bypass \(reason)"
        case .forward(let reason, let fallback): "forward \(reason)" + (fallback == nil ? "" : " or stale")
        case .serve(let hit, let reason, let refreshes):
            "serve \(hit.entry.id.rawValue) \(reason)" + (refreshes ? " and refresh" : "")
                + (hit.slice.map { " \($0)" } ?? "")
        case .notModified: "not modified"
        case .validate(_, let reason, let fallback): "validate \(reason)" + (fallback ? " or stale" : "")
        case .complete(let entry): "complete \(entry.id.rawValue)"
        case .unavailable(let reason): "unavailable \(reason)"
        }
    }

    static func decide(
        _ request: CacheRequest, _ stored: [CacheEntry], after seconds: Double = 0,
        rules: CacheDecision.Rules = .init()
    ) -> String {
        words(CacheDecision.decide(request, stored: stored, now: moment(after: seconds), rules: rules))
    }
}
