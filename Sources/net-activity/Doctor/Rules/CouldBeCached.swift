#if Tools
internal import NetCore
internal import NetStore

/// Responses that are fetched repeatedly, and the reason why no cache stored them.
enum CouldBeCached: DoctorRule {
    static let name = "could-be-cached"
    static let leastCalls = 5
    /// The minimum percentage of responses with a body of the same size.
    static let leastPercent = 80

    static func findings(in examination: Examination) -> [Finding] {
        let groups = examination.groups { call -> String? in
            call.isGet && call.isOwn && call.status == 200 && call.item.outcome == .completed ? call.url : nil
        }
        return groups.compactMap { url, calls in
            let fetched = calls.filter { !$0.isFromCache }
            guard fetched.count >= leastCalls, let size = Figures.most(fetched.map(\.responseBytes)), size.value > 0,
                size.count * 100 >= fetched.count * leastPercent
            else { return nil }
            let (why, advice) = cause(fetched)
            return Finding(
                name, .note, "A response is fetched repeatedly",
                """
                GET \(url): \(Figures.counted(fetched.count, "time")), mostly with \(TerminalText.bytes(size.value)); \
                \(TerminalText.bytes(size.value * Int64(size.count - 1))) could have been saved. \(why)
                """,
                advice: advice, filter: .url(ActivityFilter.literal(url)), calls: fetched)
        }
    }

    private static func cause(_ calls: [ExaminedCall]) -> (why: String, advice: String) {
        if let reason = Figures.most(calls.compactMap { $0.item.cache == nil ? nil : $0.item.cacheReason ?? "unknown" })
        {
            return (
                "The client's cache didn't use it: \(reason.value).",
                "docs/caching.md says what each reason means; `net-activity show ID` has the headers."
            )
        }
        guard let head = calls.last(where: \.hasResponseHeaders) else {
            return (
                "It isn't known whether it may be cached: its headers weren't captured.",
                "Use CacheMiddleware, or capture headers to see more."
            )
        }
        let control = head.responseHeader(.cacheControl)
        if control?.lowercased().contains("no-store") == true {
            return ("The server forbids caching it (Cache-Control: no-store).", "Check whether that's necessary.")
        }
        let validator =
            head.responseHeader(.entityTag).map { _ in "ETag" }
            ?? head.responseHeader(.lastModified).map { _ in "Last-Modified" }
        let facts = [control.map { "Cache-Control: \($0)" }, validator].compactMap { $0 }
        if facts.isEmpty {
            return (
                "The server doesn't say whether it may be cached: it sends neither Cache-Control nor a validator.",
                "Let the server send an ETag, or Cache-Control with max-age."
            )
        }
        if head.isForeign {
            return (
                "It may be cached or revalidated cheaply (\(facts.joined(separator: ", "))).",
                "Check whether the recording was made with the cache turned off."
            )
        }
        return (
            "It may be cached or revalidated cheaply (\(facts.joined(separator: ", "))), but the client has no cache.",
            "Use CacheMiddleware."
        )
    }
}
#endif
