#if canImport(Darwin) || NET_URLSESSION_ON_LINUX
internal import HTTPTypes
public import NetCore

#if canImport(Darwin)
public import Foundation
#else
internal import Foundation
#endif

extension PreparedRequest {
    /// The request as Foundation's `URLRequest`, for code that requires one. On Apple platforms.
    ///
    /// A `URLRequest` holds one value for each header: several values are joined by `, `, those of `Cookie` by `; `
    /// (RFC 9110 section 5.3, RFC 6265 section 5.4). Of the options, it includes only the timeouts, as its
    /// `timeoutInterval`. Throws `.unsupported` for a body that is produced while it's sent, and `.invalidRequest`
    /// for a URL that Foundation can't parse.
    ///
    /// ```swift
    /// let (data, _) = try await URLSession.shared.data(for: client.prepare(GetUser(id: 7)).urlRequest)
    /// ```
    public var urlRequest: URLRequest {
        get throws(NetError) {
            var result = try bodylessURLRequest()
            switch body {
            case .none: break
            case .bytes(let bytes): result.httpBody = bytes.data
            case .stream:
                throw NetError(
                    .unsupported, phase: .preparing,
                    message: "a streamed body can't be converted to a URLRequest; collect it into bytes"
                )
            }
            if let timeouts = options.timeouts, timeouts.setsSilence {
                let limits = [timeouts.firstByte, timeouts.stall].compactMap(\.self)
                result.timeoutInterval = limits.count < 2 ? URLRequest.longestTimeout : limits.max()?.inSeconds ?? 60
            }
            return result
        }
    }

    /// Creates a request from Foundation's `URLRequest`. On Apple platforms.
    ///
    /// Method, URL, headers, cache policy and a body of bytes are copied; headers are sorted by name. A
    /// `timeoutInterval` other than Foundation's 60 s becomes the first-byte and stall timeouts. Throws
    /// `.invalidRequest` for a URL or header that can't be sent, and `.unsupported` for a body stream: use
    /// ``RequestBody/stream(_:length:contentType:isReplayable:)`` for such a body.
    ///
    /// ```swift
    /// let prepared = try PreparedRequest(URLRequest(url: url))
    /// ```
    public init(_ request: URLRequest) throws(NetError) {
        guard request.httpBodyStream == nil else {
            throw NetError(
                .unsupported, phase: .preparing,
                message: "a URLRequest with a body stream isn't supported; pass the body as RequestBody.stream")
        }
        guard let method = HTTPRequest.Method(request.httpMethod ?? "GET") else {
            throw NetError(.invalidRequest, phase: .preparing, message: "the URLRequest's method isn't a valid token")
        }
        var fields = HTTPFields()
        for (key, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: {
            $0.key.lowercased() < $1.key.lowercased()
        }) {
            guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else {
                throw NetError(
                    .invalidRequest, phase: .preparing,
                    message:
                        "the URLRequest's header \"\(key.prefix(40))\" has a name or value that HTTP does not allow"
                )
            }
            fields.append(HTTPField(name: name, value: value))
        }
        var options = RequestOptions(absoluteURL: request.url?.absoluteString ?? "")
        if request.timeoutInterval != 60 {
            let limit = Duration.seconds(min(max(0, request.timeoutInterval), URLRequest.longestTimeout))
            options.timeouts = Timeouts(firstByte: limit, stall: limit)
        }
        options.cachePolicy = request.cachePolicy.ours
        let builder = RequestBuilder(baseURL: nil, defaultHeaders: [:], coding: .standard)
        self = try builder.prepare(
            Request<Bytes>(
                "", method: method, headers: fields,
                body: request.httpBody.map { .bytes($0, contentType: nil) } ?? .none, options: options,
                serializer: .bytes))
    }

    /// The request without its body and timeouts: method, URL and headers.
    func bodylessURLRequest() throws(NetError) -> URLRequest {
        guard let url = URL(string: url, encodingInvalidCharacters: false) else {
            throw NetError(.invalidRequest, phase: .preparing, message: "Foundation cannot read the request's URL")
        }
        var result = URLRequest(url: url)
        result.httpMethod = head.method.rawValue
        let fields = head.headerFields
        // Foundation frames the body itself.
        for field in fields where field.name != .contentLength && field.name != .transferEncoding {
            result.setValue(fields[field.name], forHTTPHeaderField: field.name.rawName)
        }
        return result
    }
}

extension URLRequest.CachePolicy {
    /// The equivalent policy.
    fileprivate var ours: CachePolicy {
        switch self {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: .reload
        case .reloadRevalidatingCacheData: .revalidate
        case .returnCacheDataElseLoad: .cacheElseLoad
        case .returnCacheDataDontLoad: .offline
        default: .default
        }
    }
}

extension URLRequest {
    /// A week: the sender of the request enforces the timeouts, and URLSession can't disable its own.
    static let longestTimeout = 604_800.0
}
#endif
