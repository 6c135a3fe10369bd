internal import HTTPTypes
public import NetCore
internal import Synchronization

/// Sends request bodies in a content coding, for servers that are known to take it: HTTP has no way to ask beforehand.
///
/// A body that has a `Content-Encoding` or a digest already, or is smaller than ``minimumBytes``, goes out as it is: a digest is
/// one of the coded bytes (RFC 9530). A streamed body is compressed while it goes out, without a `Content-Length`; it stays
/// replayable where it was.
///
///     let client = HTTPClient(
///         configuration: .init(baseURL: "https://api.example.com", middleware: [CompressionMiddleware()]))
public struct CompressionMiddleware: Middleware, CallEnding {
    /// What bodies are sent in, by its name in `Content-Encoding`.
    public enum Coding: String, Sendable, Hashable, CaseIterable {
        /// Levels 1 (fast) to 9 (small), 6 where none is given.
        case gzip
        #if Compression
        /// Zstandard (RFC 8878), under the trait `Compression`: levels 1 to 19, 3 where none is given.
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

    /// The coding. Default gzip, which nearly all servers know that know any.
    public var coding: Coding
    /// Bodies of fewer bytes are not worth it. Default 1 KiB. A stream of unknown length is always compressed.
    public var minimumBytes: Int
    /// The coding's level, a smaller or larger number being the nearest that there is. Default nil: the coding's own.
    public var level: Int?

    /// The defaults.
    public init(_ coding: Coding = .gzip, minimumBytes: Int = 1 << 10, level: Int? = nil) {
        self.coding = coding
        self.minimumBytes = minimumBytes
        self.level = level
    }

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

    /// Fields that say what the bytes of the body are.
    private static let fixing: [HTTPField.Name] = [
        .contentEncoding, .contentDigest, .reprDigest,
    ]

    fileprivate static let outOfMemory = NetError(
        .encoding, phase: .preparing, message: "there is no memory left to compress the body")
}

/// A body that is compressed while it goes out.
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
            // All that an encoder can fail for is memory.
            guard let encoded = state.withLock({ state in try? state.encode(chunk) }) else {
                body.cancel()
                throw CompressionMiddleware.outOfMemory
            }
            if !encoded.isEmpty { return encoded }
        }
    }
}
