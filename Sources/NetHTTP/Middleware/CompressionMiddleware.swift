internal import HTTPTypes
public import NetCore
internal import Synchronization

/// Sends request bodies in gzip, for servers that are known to take it: HTTP has no way to ask beforehand.
///
/// A body that has a `Content-Encoding` already, or is smaller than ``minimumBytes``, goes out as it is. A streamed body is
/// compressed while it goes out, without a `Content-Length`; it stays replayable where it was.
///
///     let client = HTTPClient(
///         configuration: .init(baseURL: "https://api.example.com", middleware: [CompressionMiddleware()]))
public struct CompressionMiddleware: Middleware {
    /// Bodies of fewer bytes are not worth it. Default 1 KiB. A stream of unknown length is always compressed.
    public var minimumBytes: Int
    /// zlib's level, 1 (fast) to 9 (small). Default 6.
    public var level: Int

    /// The defaults.
    public init(minimumBytes: Int = 1 << 10, level: Int = 6) {
        self.minimumBytes = minimumBytes
        self.level = level
    }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard request.head.headerFields[.contentEncoding] == nil,
            request.bodyLength.map({ $0 >= Int64(minimumBytes) }) ?? true
        else { return try await next(request, context) }
        var request = request
        switch request.body {
        case .none: return try await next(request, context)
        case .bytes(let bytes):
            guard var deflater = Deflater(level: level) else { throw Self.outOfMemory }
            request.body = .bytes(deflater.compress(bytes, isLast: true))
        case .stream(_, let isReplayable, let make):
            request.body = .stream(length: nil, isReplayable: isReplayable) { [level] in
                guard let deflater = Deflater(level: level) else { throw Self.outOfMemory }
                return CompressedBodySource(ResponseBody(source: try make()), deflater)
            }
        }
        request.head.headerFields[.contentEncoding] = "gzip"
        request.head.headerFields[.contentLength] = nil
        return try await next(request, context)
    }

    private static let outOfMemory = NetError(
        .encoding, phase: .preparing, message: "there is no memory left to compress the body")
}

/// A body that is compressed while it goes out.
private final class CompressedBodySource: BodySource {
    private struct State: ~Copyable {
        var deflater: Deflater
        var hasEnded = false

        init(_ deflater: consuming Deflater) {
            self.deflater = deflater
        }
    }

    private let body: ResponseBody
    private let state: Mutex<State>

    init(_ body: ResponseBody, _ deflater: consuming sending Deflater) {
        self.body = body
        state = Mutex(State(deflater))
    }

    var trailers: HTTPFields? { body.trailers }

    func cancel() { body.cancel() }

    func next() async throws(NetError) -> Bytes? {
        var iterator = body.makeAsyncIterator()
        while true {
            if state.withLock({ $0.hasEnded }) { return nil }
            let chunk = try await iterator.next()
            let compressed = state.withLock { state in
                state.hasEnded = chunk == nil
                return state.deflater.compress(chunk ?? Bytes(), isLast: chunk == nil)
            }
            if !compressed.isEmpty { return compressed }
        }
    }
}
