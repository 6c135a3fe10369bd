package import HTTPTypes

/// Converts a declared request to a prepared one. This is the only place that joins, merges and validates.
package struct RequestBuilder: Sendable {
    /// The URL that paths are joined to; nil if every request has an absolute URL.
    package var baseURL: BaseURL?
    /// The client's headers.
    package var defaultHeaders: HTTPFields
    /// The client's JSON coders.
    package var coding: JSONCoding
    /// The destination of requests whose operation has its own server.
    package var operationServers = OperationServers.declared
    /// The default `Accept-Encoding`; nil if none is sent.
    package var acceptEncoding: HTTPField?

    package init(
        baseURL: BaseURL?, defaultHeaders: HTTPFields, coding: JSONCoding, contentCodings: [String] = []
    ) {
        self.baseURL = baseURL
        self.defaultHeaders = defaultHeaders
        self.coding = coding
        acceptEncoding =
            contentCodings.isEmpty
            ? nil : HTTPField(name: .acceptEncoding, value: contentCodings.joined(separator: ", "))
    }

    /// Prepares a request; throws `.invalidRequest` or `.encoding`.
    package func prepare<R: APIRequest>(_ request: R) throws(NetError) -> PreparedRequest {
        var options = request.options
        let server = server(options)
        if let server, server.sendsCredentials { options.sendsCredentialsToOtherOrigins = true }
        let (url, target) = try target(of: request, options: options, server: server)
        let resolved = try request.body.resolved(with: coding)
        let method = request.method
        if method == .connect {
            // RFC 9110 section 9.3.6: the target is a host and a port, and the connection becomes a tunnel.
            throw invalid(
                "CONNECT isn't supported for requests: transports open tunnels themselves; use another method")
        }
        switch (method, resolved.content) {
        case (_, .none): break
        case (.head, _), (.trace, _):
            // RFC 9110 section 9.3.8 forbids a body for TRACE, and section 9.3.2 warns that one for HEAD allows request
            // smuggling.
            throw invalid("a \(method.rawValue) request can't have a body; omit it, or use another method")
        case (_, .stream(let length?, _, _)) where length < 0:
            throw invalid("the body length is negative (\(length)); pass nil if it's unknown")
        default: break
        }
        let headers = try fields(for: request, options: options, url: url, body: resolved)
        let head = HTTPRequest(
            method: method, scheme: url.scheme, authority: url.authority, path: target, headerFields: headers)
        return PreparedRequest(head: head, body: resolved.content, options: options)
    }

    /// Returns the server that replaces the client's base URL; nil if there is none.
    private func server(_ options: RequestOptions) -> OperationServer? {
        guard let declared = options.server, options.absoluteURL == nil, options.baseURL == nil else { return nil }
        return operationServers.server(for: declared)
    }

    private func target<R: APIRequest>(
        of request: R, options: RequestOptions, server: OperationServer?
    ) throws(NetError) -> (BaseURL, String) {
        var url: BaseURL
        var path: String
        if let absolute = options.absoluteURL {
            url = try options.webSocket == nil ? BaseURL(absolute) : webSocketURL(absolute)
            path = url.wholePath
        } else {
            guard let baseURL = try server?.resolved(against: baseURL) ?? options.baseURL ?? baseURL else {
                throw invalid("neither the client nor the request has a base URL")
            }
            if let problem = options.webSocket == nil ? baseURL.problem : baseURL.webSocketProblem {
                throw invalid(
                    "the \(options.baseURL == nil ? "client" : "request")'s base URL is not usable: \(problem)")
            }
            let route = request.path
            if let problem = route.problem { throw invalid(problem) }
            url = baseURL
            let own = route.encoded
            path = own.isEmpty && options.apiVersion == nil ? url.wholePath : url.path
            if var version = options.apiVersion?[...] {
                // Compares bytes: a slash with a combining mark is a single character.
                while version.utf8.first == Path.slash { version = Substring(version.utf8.dropFirst()) }
                while version.utf8.last == Path.slash { version = Substring(version.utf8.dropLast()) }
                if let problem = (Path() / String(version)).problem { throw invalid("the API version: \(problem)") }
                path += "/" + PercentEncoding.encode(version)
            }
            if !own.isEmpty { path += own.hasPrefix("/") ? own : "/" + own }
        }
        if let socket = options.webSocket {
            if let problem = socket.problem ?? options.absoluteURL.flatMap(WebSocketOptions.problem(ofURL:)) {
                throw invalid(problem)
            }
        } else if url.isWebSocket {
            throw invalid("a ws or wss URL opens a WebSocket; use a WebSocketClient")
        }
        if path.isEmpty { path = "/" }
        let items = request.query
        if let problem = items.lazy.compactMap(\.problem).first { throw invalid(problem) }
        let endsInMark = options.absoluteURL != nil && url.endsInMark
        if let query = query(of: url, items, endsInMark: endsInMark) { path += "?" + query }
        try validate(target: path)
        return (url, path)
    }

    /// Returns the query of the URL followed by the items; nil if there is no query, as opposed to an empty one.
    private func query(of url: BaseURL, _ items: QueryItems, endsInMark: Bool) -> String? {
        let query = items.encodedQuery
        if let own = url.query { return query.isEmpty ? own : "\(own)&\(query)" }
        if query.isEmpty { return endsInMark || items.contains { $0.writtenName != nil } ? "" : nil }
        return query
    }

    /// Throws if the target has a byte that would end the request line or the sent part of the URL, or that must be
    /// percent-encoded. Text that the caller marked as encoded may contain one.
    private func validate(target: String) throws(NetError) {
        guard let bad = target.utf8.first(where: { $0 <= 32 || $0 >= 127 || $0 == UInt8(ascii: "#") }) else { return }
        throw invalid(
            "the path or query has the byte 0x\(String(bad, radix: 16)), which must be percent-encoded; check the values "
                + "that are marked as encoded")
    }

    /// Returns the client's headers, the headers that the body implies, the request's own headers and the idempotency
    /// key, in this order. Each one replaces all earlier headers with the same name.
    private func fields<R: APIRequest>(
        for request: R, options: RequestOptions, url: BaseURL, body: RequestBody.Resolved
    ) throws(NetError) -> HTTPFields {
        var fields = defaultHeaders
        let isOfClient = options.absoluteURL == nil && options.baseURL == nil && options.server == nil
        // Without a base URL, the client's headers belong to no origin and apply to every request.
        if !isOfClient, !options.sendsCredentialsToOtherOrigins, let baseURL, url.origin != baseURL.origin {
            for field in defaultHeaders where !field.name.mayGoToAnyOrigin { fields[field.name] = nil }
        }
        for field in body.headers { fields[field.name] = nil }
        fields.append(contentsOf: body.headers)
        let contentType = body.contentType
        if let contentType { fields[.contentType] = contentType }
        let own = request.headers
        if let contentType, contentType.hasPrefix("multipart/"), let chosen = own[.contentType],
            MediaType(chosen)?["boundary"] != MediaType(contentType)?["boundary"]
        {
            throw invalid(
                "the request's Content-Type header would replace the one of its multipart body, and with it the "
                    + "boundary; omit it")
        }
        for field in own { fields[field.name] = nil }
        fields.append(contentsOf: own)
        for field in fields {
            guard let literal = InvalidName.literal(of: field.name) else { continue }
            throw invalid("\"\(literal)\" isn't the name of a header; it may have letters, digits and hyphens")
        }
        // The transport frames the body, so framing headers set by the caller aren't sent.
        for name in [HTTPField.Name.contentLength, .transferEncoding] where fields.contains(name) { fields[name] = nil }
        // Appended rather than set, because another search for a header to replace costs as much as all the rest.
        if !fields.contains(.accept), let accept = request.serializer.accept {
            fields.append(HTTPField(name: .accept, value: accept))
        }
        // A part of an encoded body can't be decoded by itself, so a range is requested without encoding (RFC 9110
        // section 14.2).
        if let acceptEncoding, options.decodesContent, !fields.contains(.range), !fields.contains(.acceptEncoding) {
            fields.append(acceptEncoding)
        }
        if let key = options.idempotencyKey {
            guard !key.isEmpty, HTTPField.isValidValue(key) else {
                throw invalid("the idempotency key is empty, or contains a control character or surrounding blanks")
            }
            fields[.idempotencyKey] = key
        }
        return fields
    }

    func invalid(_ message: String) -> NetError {
        NetError(.invalidRequest, phase: .preparing, message: message)
    }
}
