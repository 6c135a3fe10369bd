internal import NetCompression
package import NetCore
package import NetRecord

/// The text of a HAR file, compressed by gzip or zlib or not.
package enum HARContent {
    /// The maximum bytes of text per byte of gzip. DEFLATE reaches 1,032 if the text is pure repetition.
    private static let maximumExpansion = 1000.0

    /// Reads a file; the limit applies to the file and to its decompressed text.
    package static func read(_ path: String, maximumBytes: Int) throws(RecordFileError) -> Bytes {
        let bytes: Bytes?
        do throws(NetError) {
            bytes = try PrivateFile.contents(of: path, upTo: maximumBytes)
        } catch {
            throw RecordFileError(file: path, problem: error.message, advice: "name a HAR file")
        }
        guard let bytes else {
            throw RecordFileError(file: path, problem: "there is no such file", advice: "correct the path")
        }
        let mark = Array(bytes.prefix(4))
        if mark == [0x50, 0x4b, 3, 4] {
            throw RecordFileError(
                file: path, problem: "this is a zip archive", advice: "unpack it, and name the .har file in it")
        }
        if mark.starts(with: [0x1f, 0x8b]) { return try inflated(bytes, .gzip, path, maximumBytes) }
        // mitmproxy compresses a file whose name ends in .zhar with zlib (RFC 1950).
        let isZlib = mark.count > 1 && mark[0] == 0x78 && (Int(mark[0]) << 8 | Int(mark[1])) % 31 == 0
        return isZlib ? try inflated(bytes, .deflate, path, maximumBytes) : bytes
    }

    private static func inflated(
        _ bytes: Bytes, _ format: Inflater.Format, _ path: String, _ maximum: Int
    ) throws(RecordFileError) -> Bytes {
        let name = format == .gzip ? "gzip" : "zlib"
        var inflater = Inflater(format)
        var guarded = ExpansionGuard(limit: maximumExpansion)
        var output: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { buffer.deallocate() }
        let problem: String? = bytes.withUnsafeBytes { source in
            var rest = source[...]
            do throws(CodingFailure) {
                while true {
                    let count = try inflater.decode(&rest, into: buffer)
                    guard count > 0 else { break }
                    output.append(contentsOf: buffer[..<count])
                    guarded.received = Int64(source.count - rest.count)
                    guarded.decoded += Int64(count)
                    if guarded.isExceeded { return "its \(name) stream looks like a decompression bomb" }
                    if output.count > maximum { return "it decompresses to more than \(maximum) bytes" }
                }
                try inflater.finish()
                return nil
            } catch {
                return "its \(name) stream is damaged"
            }
        }
        if let problem { throw RecordFileError(file: path, problem: problem, advice: "export the HAR file again") }
        return Bytes(output)
    }
}
