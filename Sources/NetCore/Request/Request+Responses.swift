public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// The same defaults as a declared request has: these responses are not JSON, though some of them could be decoded.

extension Request where Response == String {
    /// Makes a request that reads its answer as UTF-8 text.
    public init(
        _ path: Path, method: HTTPRequest.Method = .get, query: [QueryItem] = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            path, method: method, query: query, headers: headers, body: body, options: options, serializer: .string)
    }
}

extension Request where Response == Data {
    /// Makes a request that reads its answer as data.
    public init(
        _ path: Path, method: HTTPRequest.Method = .get, query: [QueryItem] = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            path, method: method, query: query, headers: headers, body: body, options: options, serializer: .data)
    }
}

extension Request where Response == Bytes {
    /// Makes a request that reads its answer as bytes.
    public init(
        _ path: Path, method: HTTPRequest.Method = .get, query: [QueryItem] = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            path, method: method, query: query, headers: headers, body: body, options: options, serializer: .bytes)
    }
}

extension Request where Response == Empty {
    /// Makes a request that reads its answer as nothing, whatever it holds.
    public init(
        _ path: Path, method: HTTPRequest.Method = .get, query: [QueryItem] = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            path, method: method, query: query, headers: headers, body: body, options: options, serializer: .discard)
    }
}

extension Request where Response == ResponseBody {
    /// Makes a request that reads its answer as a body that is still arriving.
    public init(
        _ path: Path, method: HTTPRequest.Method = .get, query: [QueryItem] = [], headers: HTTPFields = [:],
        body: RequestBody = .none, options: RequestOptions = RequestOptions()
    ) {
        self.init(
            path, method: method, query: query, headers: headers, body: body, options: options, serializer: .body)
    }
}
