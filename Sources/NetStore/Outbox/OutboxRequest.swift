internal import HTTPTypes
internal import NetCore

/// A stored request that a client can send: the client adds its base URL, its headers and its credentials.
struct OutboxRequest: APIRequest {
    typealias Response = ResponseBody

    let path: Path
    let method: HTTPRequest.Method
    let headers: HTTPFields
    let query: QueryItems
    let body: RequestBody
    let options: RequestOptions
    let serializer = ResponseSerializer<ResponseBody>.body

    /// - Parameters:
    ///   - login: The logins that the request must be sent with; nil for none.
    ///   - began: Called with the ID of the call when it begins, if the client runs middleware.
    init(_ stored: OutboxSend, _ login: CallLogin?, began: @escaping @Sendable (CallID) -> Void) {
        method = stored.method
        headers = stored.headers
        body = stored.body.map { RequestBody.bytes($0, contentType: nil) } ?? .none
        var options = RequestOptions()
        options.metadata = stored.metadata
        options.idempotencyKey = stored.idempotencyKey
        options.sendsCredentialsToOtherOrigins = stored.sendsCredentials
        // The outbox evaluates the status and makes the attempts itself.
        options.validation = .any
        options.retry = .never
        options.cachePolicy = .reload
        options.middleware = [CallReport(began: began)]
        options.login = login
        guard !stored.isAbsolute else {
            options.absoluteURL = stored.target
            (path, query) = (Path(), [])
            self.options = options
            return
        }
        let parts = stored.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path = Path()
        path.append(escaped: String(parts[0]))
        // An empty path value would be an error; an empty `Path` means the base URL itself.
        self.path = parts[0].isEmpty ? Path() : path
        let items = parts.count > 1 ? parts[1].split(separator: "&", omittingEmptySubsequences: false) : []
        query = QueryItems(items.map { QueryItem(written: $0) })
        self.options = options
    }

    /// Reports the ID of the call, so that activity shows the call as part of the job.
    private struct CallReport: Middleware {
        let began: @Sendable (CallID) -> Void

        var endsWithCall: Bool { true }

        func intercept(
            _ request: PreparedRequest, context: CallContext, next: Next
        ) async throws -> StreamedResponse {
            began(context.id)
            return try await next(request, context)
        }
    }
}

extension OutboxRequest: CustomStringConvertible, CustomReflectable {
    /// The method, path and query, redacted.
    var description: String {
        "\(method.rawValue) \(RedactionPolicy.safeDefault.redact(url: options.absoluteURL ?? path.encoded))"
    }

    /// Empty, since headers and body may contain secrets.
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
