#if Tools
internal import NetCompression
internal import NetCore

/// The content codings of recorded bodies (RFC 9110 section 8.4.1).
enum RecordedCoding {
    /// The maximum size of a decoded body.
    private static let maximumBytes = 256 << 20

    /// Returns the decoded body; nil if it isn't in the coding, or is too large.
    static func decode(_ bytes: Bytes, _ coding: String) -> Bytes? {
        switch coding {
        case "gzip", "x-gzip": whole(bytes, Inflater(.gzip))
        case "deflate": whole(bytes, Inflater(.deflate))
        #if Compression
        case "br": whole(bytes, BrotliDecoder())
        case "zstd": whole(bytes, ZstdDecoder())
        #endif
        default: nil
        }
    }

    private static func whole(_ bytes: Bytes, _ decoder: consuming some StreamDecoder & ~Copyable) -> Bytes? {
        var decoder = decoder
        var (input, output) = (bytes, [UInt8]())
        do throws(CodingFailure) {
            while let piece = try decoder.piece(of: &input) {
                output += piece
                if output.count > maximumBytes { return nil }
            }
            try decoder.finish()
        } catch {
            return nil
        }
        return Bytes(output)
    }
}
#endif
