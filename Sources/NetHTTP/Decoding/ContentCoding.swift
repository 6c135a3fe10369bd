/// A content coding that bodies can be read from (RFC 9110 section 8.4.1), in the order in which they are offered.
enum ContentCoding: String, Sendable, CaseIterable {
    case gzip
    /// The zlib format (RFC 1950); raw deflate, which some servers send under this name, is understood too.
    case deflate
    #if Compression
    /// Brotli (RFC 7932).
    case br
    /// Zstandard (RFC 8878), with a window of at most 8 MiB (RFC 9659).
    case zstd
    #endif

    /// The codings in the order in which the server applied them; nil when one of them is not known here.
    ///
    /// `identity` says nothing. Browsers hand out what they cannot decode as it is, and so do we: the field tells.
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

    /// A decoder for one body.
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
