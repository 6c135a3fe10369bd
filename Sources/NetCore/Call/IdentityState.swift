internal import HTTPTypes

/// The state of a call's identity; kept only if a part of its chain stores or shares responses.
struct IdentityState: Sendable, CustomReflectable {
    /// The request as the outermost part that stores or shares responses passed it on.
    private struct Passed {
        let headers: HTTPFields
        /// The URL, with the changes since then that are accounted for.
        var url: URLParts
    }

    /// The URL of a request.
    private struct URLParts: Equatable {
        let scheme, authority, path: String?

        init(_ request: PreparedRequest) {
            (scheme, authority, path) = (request.head.scheme, request.head.authority, request.head.path)
        }
    }

    /// The identity known so far, from the chain's identity sources and from headers that identify a user.
    private(set) var identity: CallIdentity
    /// The headers that ``identity`` already covers.
    private(set) var accounted: [HTTPField] = []
    /// The headers with which the request entered the chain; the rest was added by middleware.
    private let original: HTTPFields
    private var passed: Passed?
    /// The difference that a part further inside has found, and covered for itself only.
    private var found: IdentityDifference?

    init(_ identity: CallIdentity, of request: PreparedRequest) {
        self.identity = identity
        original = request.head.headerFields
    }

    /// No children, since the headers are secrets.
    var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Marks a header as covered by the identity.
    mutating func account(for field: HTTPField) { accounted.append(field) }

    /// Marks the change from one URL to another as covered by the identity.
    mutating func account(forURLOf sent: PreparedRequest, insteadOf request: PreparedRequest) {
        if passed?.url == URLParts(request) { passed?.url = URLParts(sent) }
    }

    /// Adds the holders of the headers that nothing covers yet; from now on, they are covered.
    mutating func identify(_ request: PreparedRequest, _ policy: RedactionPolicy) {
        if passed != nil { found = difference(of: request, policy) }
        for field in unaccounted(request, policy) {
            identity = identity.union(.holder(of: field))
            accounted.append(field)
        }
        if passed == nil { passed = Passed(headers: request.head.headerFields, url: URLParts(request)) }
    }

    /// Returns the identity of the request with the holders of the headers that nothing covers yet.
    func identity(of request: PreparedRequest, _ policy: RedactionPolicy) -> CallIdentity {
        unaccounted(request, policy).reduce(identity) { $0.union(.holder(of: $1)) }
    }

    /// Returns what was changed in the request since a part stored or shared its response, and isn't covered by the
    /// identity; nil for nothing.
    func difference(of request: PreparedRequest, _ policy: RedactionPolicy) -> IdentityDifference? {
        if let found { return found }
        if let field = unaccounted(request, policy).first { return .header(field.name) }
        guard let passed else { return nil }
        return passed.url == URLParts(request) ? nil : .url
    }

    /// Returns the headers that may identify a user and that the identity doesn't cover: those with secrets, and those
    /// that a middleware has added or changed, unless they are known to be harmless.
    private func unaccounted(_ request: PreparedRequest, _ policy: RedactionPolicy) -> [HTTPField] {
        let isOwn = policy != .safeDefault && policy != .disabled
        let known = passed?.headers ?? original
        return request.head.headerFields.filter { field in
            let isPlain = HarmlessHeaders.contains(field.name)
            guard !isPlain || isOwn else { return false }
            let identifiesUser =
                isOwn && policy.isSensitive(field.name)
                || !isPlain && (!known.contains(field) || RedactionPolicy.safeDefault.isSensitive(field.name))
            return identifiesUser && !accounted.contains(field)
        }
    }
}
