#if Tools
internal import HTTPTypes
internal import NetCore
internal import NetHTTP
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The request that repeats a stored call, or the reasons why it can't be sent.
struct ReplayPlan {
    private(set) var method = HTTPRequest.Method.get
    private(set) var target = URLReference("")
    private(set) var fields = HTTPFields()
    private(set) var body: Bytes?
    /// The URL without secrets.
    private(set) var shownURL = ""
    /// The names of the places that were filled.
    private(set) var filled: [String] = []
    /// The hidden places without a value, and other missing parts.
    private(set) var missing: [String] = []
    /// Notes on the request for people.
    private(set) var notes: [String] = []
    /// The given values, which must never be shown.
    private(set) var secrets: [String] = []
    /// True if redirects are followed: if the stored call followed all its redirects, and not for a single attempt.
    let followsRedirects: Bool

    private let entry: ReportEntry
    private let attempt: StoredAttempt?
    private let exchange: StoredExchange?

    /// Returns nil for an entry that isn't an HTTP request, or if it has no such attempt.
    ///
    /// - Parameters:
    ///   - entry: The stored call.
    ///   - number: The attempt; nil for the call's original request, with the headers of its last attempt before a
    ///     redirect.
    ///   - fillings: The values for hidden places.
    ///   - now: The time for choosing cookies.
    init?(_ entry: ReportEntry, attempt number: Int?, fillings: ReplayFillings, now: Date) {
        let item = entry.item
        let candidates = entry.attempts.filter { attempt in
            number.map { attempt.number == $0 }
                ?? ((attempt.url ?? item.url) == item.url && (attempt.method ?? item.method) == item.method)
        }
        guard number == nil || !candidates.isEmpty, item.kind == .call else { return nil }
        self.entry = entry
        let last = entry.attempts.last?.status ?? item.status ?? 0
        followsRedirects = number == nil && ![301, 302, 303, 307, 308].contains(last)
        attempt = candidates.last
        let repeated = candidates.last?.number ?? 0
        exchange = entry.exchanges.last { $0.number == repeated }
        let url = number == nil ? item.url : attempt?.url ?? item.url
        guard let url, let method = HTTPRequest.Method(attempt?.method ?? item.method ?? "GET") else { return nil }
        self.method = method
        target = URLReference(url)
        target.fragment = nil
        guard let scheme = target.scheme?.lowercased(), ["http", "https"].contains(scheme) else { return nil }
        takeFields(fillings)
        fillURL(fillings)
        takeCookies(fillings, now: now)
        checkFields()
        takeBody(fillings)
    }

    /// True if the method isn't safe and may change something (RFC 9110 section 9.2.1).
    var isUnsafe: Bool { !["GET", "HEAD", "OPTIONS", "TRACE"].contains(method.rawValue) }

    private mutating func takeFields(_ fillings: ReplayFillings) {
        if exchange == nil { notes.append("headers weren't captured: only the given ones are sent") }
        let stored = exchange?.requestHeaders ?? []
        let given = Set(fillings.headers.map(\.name.canonicalName))
        // A new call isn't part of the old call's trace.
        var dropped = ReplayFillings.ofClient.union(given).union(fillings.omitted).union(["traceparent", "tracestate"])
        for field in stored where field.name.lowercased() == "connection" {
            dropped.formUnion(field.value.split(separator: ",").map { $0.lowercased().filter { $0 != " " } })
        }
        if fillings.body != nil {
            dropped.formUnion([
                "content-encoding", "content-digest", "repr-digest", "digest", "content-md5", "content-range",
            ])
        }
        for field in stored where !dropped.contains(field.name.lowercased()) {
            guard let name = HTTPField.Name(field.name) else { continue }
            fields.append(HTTPField(name: name, value: field.value))
        }
        for field in fillings.headers {
            fields.append(field)
            secrets += Self.secrets(field.value)
            filled.append("header \(field.name.canonicalName)")
        }
        let key = HTTPField.Name.idempotencyKey
        guard !fillings.keepsKey, fields[key] != nil, !given.contains("idempotency-key")
        else { return }
        fields[key] = "\(CallID(milliseconds: fillings.random.next() >> 16, random: fillings.random))"
        notes.append("the Idempotency-Key is new, so that the server doesn't repeat its old response")
    }

    /// Returns the value, and the part after an authentication scheme.
    private static func secrets(_ value: String) -> [String] {
        [value] + (value.firstIndex(of: " ").map { [String(value[value.index(after: $0)...])] } ?? [])
    }

    private mutating func fillURL(_ fillings: ReplayFillings) {
        if let authority = target.authority, authority.contains("@") {
            target.authority = Authority(authority).hostAndPort
            if fields[.authorization] == nil {
                missing.append("user and password of the URL (--header 'authorization: …')")
            }
        }
        if HiddenMark.isIn(target.path) { missing.append("a part of the path (it can't be filled)") }
        if let base = fillings.base {
            target.scheme = base.scheme
            target.authority = base.authority
            let prefix = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
            target.path = prefix + target.path
        }
        shownURL = HiddenMark.normalized("\(target)").bounded(to: 8000)
        fillQuery(fillings.query)
        missing += HiddenPlaces.inItems(target.query ?? "").map { "query \($0) (--query '\($0)=…')" }
    }

    private mutating func fillQuery(_ given: [(name: String, value: String)]) {
        var names: [String] = []
        for item in given where !names.contains(item.name) { names.append(item.name) }
        for name in names {
            var values = given.filter { $0.name == name }.map(\.value)
            secrets += values
            var hasItem = false
            let items = (target.query ?? "").split(separator: "&", omittingEmptySubsequences: false).map { item in
                let written = item.prefix { $0 != "=" }
                guard PercentEncoding.decode(written, plusIsSpace: true) == name else { return String(item) }
                hasItem = true
                let value = values.count > 1 ? values.removeFirst() : values[0]
                return "\(written)=\(PercentEncoding.encode(value))"
            }
            guard hasItem else {
                missing.append("query \(TerminalText.clean(name)): the URL has no such item")
                continue
            }
            target.query = items.joined(separator: "&")
            filled.append("query \(TerminalText.clean(name))")
        }
    }

    private mutating func takeCookies(_ fillings: ReplayFillings, now: Date) {
        guard var jar = fillings.cookies else { return }
        fields[.cookie] = nil
        guard let value = jar.field(for: "\(target)", now: now) else {
            missing.append("header cookie: the cookie jar has none for this URL")
            return
        }
        fields[.cookie] = value
        secrets += value.split(separator: ";").map { cookie in
            String(cookie.split(separator: "=", maxSplits: 1).last ?? "").filter { $0 != " " }
        }
        filled.append("header cookie")
    }

    private mutating func checkFields() {
        var names: [String] = []
        for field in fields where HiddenMark.isIn(field.value) && !names.contains(field.name.canonicalName) {
            let name = field.name.canonicalName
            names.append(name)
            let hint =
                switch name {
                case "authorization": "--bearer-env NAME, or --header 'authorization: …'"
                case "cookie": "--cookie-jar FILE, or --header 'cookie: …'"
                default: "--header '\(name): …', or --without \(name)"
                }
            missing.append("header \(name) (\(hint))")
        }
    }

    private mutating func takeBody(_ fillings: ReplayFillings) {
        if let body = fillings.body {
            self.body = body
            filled.append("body")
            return
        }
        guard let exchange else {
            let size = attempt?.requestBytes ?? entry.item.requestBytes
            if size.map({ $0 > 0 }) ?? isUnsafe { missing.append("body: it wasn't captured (--body FILE)") }
            return
        }
        guard let stored = exchange.request else {
            if StoredRequestBody(of: entry.item, attempt, exchange).isIncomplete {
                missing.append("body: it wasn't captured (--body FILE)")
            }
            return
        }
        let captured = Int64(stored.bytes.count)
        if stored.isCut, captured == 0 {
            missing.append("body: it wasn't captured (--body FILE)")
        } else if stored.isCut {
            let size = stored.size.map { " of \(TerminalText.bytes($0))" } ?? ""
            missing.append("body: only \(TerminalText.bytes(captured))\(size) were captured (--body FILE)")
        }
        let hidden = HiddenPlaces.inBody(stored.bytes, contentType: fields[.contentType])
        if !hidden.isEmpty {
            let rest = hidden.count > 10 ? " and \(hidden.count - 10) more" : ""
            missing.append("body: \(hidden.prefix(10).joined(separator: ", "))\(rest) (--body FILE)")
        }
        body = stored.bytes
    }

    /// The reason for not sending the request; nil if nothing is missing.
    var refusal: Failure? {
        guard !missing.isEmpty else { return nil }
        return Failure(
            code: .usage,
            description: """
                nothing was sent because parts of the request are hidden or missing:
                \(missing.map { "  " + $0 }.joined(separator: "\n"))
                """)
    }

    /// Returns the request.
    ///
    /// - Parameter codings: The client's `Accept-Encoding`: the stored one may name a coding that the client can't
    ///   decode.
    func request(codings: String?) -> PreparedRequest {
        var fields = fields
        let hadCodings = exchange?.requestHeaders.contains { $0.name.lowercased() == "accept-encoding" } ?? false
        if fields[.acceptEncoding] == nil, hadCodings { fields[.acceptEncoding] = codings }
        var head = HTTPRequest(method: method, url: "\(target)", headerFields: fields)
        if head.path?.isEmpty ?? true { head.path = "/" }
        return PreparedRequest(head: head, body: body.map { .bytes($0) } ?? .none)
    }

    /// Headers without secrets that responses have too, where they must stay comparable.
    private static let ofResponses: Set<String> = [
        "cache-control", "content-disposition", "content-language", "content-type", "pragma",
    ]

    /// Returns the policy for errors, events and captures of the replay. In addition to the default policy, it hides
    /// the values that were hidden in the store, and those given on the command line.
    func redaction(_ fillings: ReplayFillings) -> RedactionPolicy {
        var policy = RedactionPolicy.safeDefault
        policy.headerNames.formUnion(
            fillings.headers.map(\.name.canonicalName).filter { !Self.ofResponses.contains($0) })
        policy.queryNames.formUnion(fillings.query.map(\.name))
        for exchange in entry.exchanges {
            for field in exchange.requestHeaders + exchange.responseHeaders + exchange.trailers
            where HiddenMark.normalized(field.value) == HiddenMark.plain {
                policy.headerNames.insert(field.name)
            }
        }
        return policy
    }
}
#endif
