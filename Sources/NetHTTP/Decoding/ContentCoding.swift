internal import NetCompression

/// A supported content coding (RFC 9110 section 8.4.1), in the order in which they are offered.
enum ContentCoding: String, Sendable, CaseIterable {
    case gzip
    /// The zlib format (RFC 1950), and raw deflate, which some servers send under this name.
    case deflate
    #if Compression
    /// Brotli (RFC 7932).
    case br
    /// Zstandard (RFC 8878), with a window of at most 8 MiB (RFC 9659).
    case zstd
    #endif

    /// Parses `Content-Encoding`: the codings in the order in which they were applied, without `identity`. nil if one isn't
    /// supported; the body is then delivered as it is, as browsers do.
    static func list(_ field: String) -> [ContentCoding]? {
        var codings: [ContentCoding] = []
        for name in field.split(separator: ",") {
            let name = name.filter { $0 != " " && $0 != "\t" }.lowercased()
            switch name {
            case "", "identity": continue
            case "x-gzip": codings.append(.gzip)
            default:
                guard let coding = ContentCoding(rawValue: name) else { return nil }
                codings.append(coding)
            }
        }
        return codings
    }

    /// Creates a decoder for one body.
    func makeDecoder() -> any StreamDecoder & ~Copyable {
        switch self {
        case .gzip: return Inflater(.gzip)
        case .deflate: return Inflater(.deflate)
        #if Compression
        case .br: return BrotliDecoder()
        case .zstd: return ZstdDecoder()
        #endif
        }
    }
}
