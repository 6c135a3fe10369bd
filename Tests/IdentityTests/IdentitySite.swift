import HTTPTypes
import NetCore
import NetHTTP
import NetTesting
import TestSupport

/// A server in memory that says whose data it returns and who wrote as whom. It knows a user by the connection, a token,
/// a cookie, a header or the URL, in this order; the name ends at the first `-`, so that `ann-2` is another token of
/// ann.
final class IdentitySite: HTTPTransport {
    /// The user of the connections; nil for connections that identify nobody.
    private let connection: (any IdentitySource)?
    private let holder: String?
    /// The users that have written, in order.
    let writes = Locked<[String]>([])
    /// The number of requests for data.
    let reads = Locked(0)
    /// The number of responses 503 to give before the next one that isn't.
    let busy = Locked(0)
    /// The headers of each response, such as a cookie.
    let headers = Locked<[@Sendable (Int) -> HTTPField]>([])
    /// The tokens that are refused.
    let refused = Locked<Set<String>>([])

    /// - Parameters:
    ///   - certificate: The user of a client certificate.
    ///   - ticket: The user of a Kerberos ticket for `https://site.test`.
    init(certificate: String? = nil, ticket: String? = nil) {
        holder = certificate ?? ticket
        connection = ConnectionIdentity(
            certificate: certificate != nil, negotiateOrigins: ticket == nil ? [] : ["https://site.test"])
    }

    var connectionIdentity: (any IdentitySource)? { connection }

    func execute(_ request: PreparedRequest, context: CallContext) async throws(NetError) -> StreamedResponse {
        try await MockTransport { [self] request, _ in respond(to: request) }.execute(request, context: context)
    }

    private func respond(to request: PreparedRequest) -> StubResponse {
        let parts = request.url.split(separator: "/").dropFirst(2)
        if parts.first == "login", let name = parts.last {
            return .text("hello").header(.setCookie, "sid=\(name); Path=/")
        }
        if parts.first == "logout" { return .text("bye").header(.setCookie, "sid=; Max-Age=0; Path=/") }
        var response = StubResponse.text("data of \(user(of: request))")
        response.headers[.cacheControl] = "private, max-age=600"
        let count = reads.change { count in
            count += 1
            return count
        }
        for make in headers.value {
            let field = make(count)
            response.headers.append(field)
        }
        if refused.value.contains(token(of: request) ?? "") { return .status(.unauthorized) }
        let isBusy = busy.change { busy in
            defer { busy = max(0, busy - 1) }
            return busy > 0
        }
        if isBusy {
            response.status = .serviceUnavailable
            response.headers[.cacheControl] = nil
            return response.header(.retryAfter, "10")
        }
        if [.post, .put].contains(request.head.method) {
            let user = user(of: request)
            writes.change { $0.append(user) }
        }
        return response
    }

    private func token(of request: PreparedRequest) -> String? {
        request.head.headerFields[.authorization].map { String($0.split(separator: " ").last ?? "") }
    }

    private func user(of request: PreparedRequest) -> String {
        let head = request.head
        let cookie = (head.headerFields[.cookie] ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
            .first { $0.hasPrefix("sid=") }.map { String($0.dropFirst(4)) }
        let query = head.path?.split(separator: "=").last.map { String($0) }
        let path = head.path?.hasPrefix("/of/") == true ? head.path.map { String($0.dropFirst(4)) } : nil
        let host = head.authority.flatMap { $0 == "site.test" ? nil : String($0.prefix { $0 != "." }) }
        let known =
            holder ?? token(of: request) ?? cookie ?? head.headerFields["X-User"]
            ?? (head.path?.contains("user=") == true ? query : nil) ?? path ?? host
        return known.map { String($0.prefix { $0 != "-" }) } ?? "nobody"
    }
}
