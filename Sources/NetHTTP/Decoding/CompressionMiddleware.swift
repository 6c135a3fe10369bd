internal import HTTPTypes
internal import NetCompression
public import NetCore
internal import Synchronization

/// Compresses request bodies, for servers that are known to accept it: HTTP has no way to ask beforehand.
///
/// A body that already has a `Content-Encoding` or a digest, or is smaller than ``minimumBytes``, is sent unchanged: a digest
/// covers the coded bytes (RFC 9530). A streamed body is compressed while it is sent, without a `Content-Length`; a replayable
/// one stays replayable.
///
///     let client = HTTPClient(baseURL: "https://api.example.com") { $0.middleware = [CompressionMiddleware()] }
public struct CompressionMiddleware: Middleware {
    /// A content coding for requests; the raw value is its name in `Content-Encoding`.
    public enum Coding: String, Sendable, Hashable, CaseIterable {
        /// gzip (RFC 1952): levels 1 (fast) to 9 (small), default 6.
        case gzip
        #if Compression
        /// Zstandard (RFC 8878), with the trait `Compression`: levels 1 to 19, default 3.
        case zstd
        #endif

        func makeEncoder(level: Int?) throws(NetError) -> any StreamEncoder & ~Copyable {
            switch self {
            case .gzip:
                if let encoder = Deflater(level: level ?? 6) { return encoder }
            #if Compression
            case .zstd:
                if let encoder = ZstdEncoder(level: level ?? 3) { return encoder }
            #endif
            }
            throw CompressionMiddleware.outOfMemory
        }
    }

    /// The coding. Default gzip, the most widely supported.
    public var coding: Coding
    /// The smallest body to compress, in bytes. Default 1 KiB. A stream of unknown length is always compressed.
    public var minimumBytes: Int
    /// The compression level; values outside the coding's range are clamped. Default nil: the coding's default.
    public var level: Int?

    /// Creates the middleware.
    public init(_ coding: Coding = .gzip, minimumBytes: Int = 1 << 10, level: Int? = nil) {
        self.coding = coding
        self.minimumBytes = minimumBytes
        self.level = level
    }

    public var endsWithCall: Bool { true }

    public func intercept(
        _ request: PreparedRequest, context: CallContext, next: Next
    ) async throws -> StreamedResponse {
        guard !Self.fixing.contains(where: { request.head.headerFields.contains($0) }),
            request.bodyLength.map({ $0 >= Int64(minimumBytes) }) ?? true
        else { return try await next(request, context) }
        var request = request
        switch request.body {
        case .none: return try await next(request, context)
        case .bytes(let bytes):
            var encoder = try coding.makeEncoder(level: level)
            request.body = .bytes(try encoder.encode(bytes, isLast: true))
        case .stream(let length, let isReplayable, let make):
            request.body = .stream(length: nil, isReplayable: isReplayable) { [coding, level] in
                CompressedBodySource(
                    ResponseBody(source: MeasuredBodySource.measuring(try make(), length)),
                    try coding.makeEncoder(level: level))
            }
        }
        request.head.headerFields[.contentEncoding] = coding.rawValue
        request.head.headerFields[.contentLength] = nil
        return try await next(request, context)
    }

    /// Headers that describe the exact bytes of the body.
    private static let fixing: [HTTPField.Name] = [
        .contentEncoding, .contentDigest, .reprDigest,
    ]

    fileprivate static let outOfMemory = NetError(
        .encoding, phase: .preparing, message: "out of memory while compressing the body")
}

/// Compresses a body while it is sent.
private final class CompressedBodySource: BodySource {
    private struct State: ~Copyable {
        var encoder: any StreamEncoder & ~Copyable
        var hasEnded = false

        init(_ encoder: consuming any StreamEncoder & ~Copyable) {
            self.encoder = encoder
        }

        mutating func encode(_ chunk: Bytes?) throws(CodingFailure) -> Bytes {
            hasEnded = chunk == nil
            return try encoder.encode(chunk ?? Bytes(), isLast: chunk == nil)
        }
    }

    private let body: ResponseBody
    private let state: Mutex<State>

    init(_ body: ResponseBody, _ encoder: consuming sending any StreamEncoder & ~Copyable) {
        self.body = body
        state = Mutex(State(encoder))
    }

    var trailers: HTTPFields? { body.trailers }

    func cancel() { body.cancel() }

    func next() async throws(NetError) -> Bytes? {
        var iterator = body.makeAsyncIterator()
        while true {
            if state.withLock({ $0.hasEnded }) { return nil }
            let chunk = try await iterator.next()
            // An encoder fails only if memory runs out.
            guard let encoded = state.withLock({ state in try? state.encode(chunk) }) else {
                body.cancel()
                throw CompressionMiddleware.outOfMemory
            }
            if !encoded.isEmpty { return encoded }
        }
    }
}
