internal import NetCompression

/// Bodies that the store has compressed.
enum InflatedBody {
    /// Of a longer body only so much is searched: 1 MiB, four times what the store keeps of one.
    static let maximumBytes = 1 << 20

    /// Inflates a body of zlib's format. What comes before damage, or before the limit, is handed over.
    static func withBytes<Value>(
        of compressed: UnsafeRawBufferPointer, maximum: Int = maximumBytes, _ body: (UnsafeRawBufferPointer) -> Value
    ) -> Value {
        var inflater = Inflater(.deflate)
        var rest = compressed[...]
        var output = [UInt8](repeating: 0, count: min(maximum, max(1024, compressed.count * 4)))
        var count = 0
        while true {
            if count == output.count {
                guard count < maximum else { break }
                output.append(contentsOf: repeatElement(0, count: min(output.count, maximum - count)))
            }
            let written = output.withUnsafeMutableBytes { target in
                (try? inflater.decode(&rest, into: UnsafeMutableRawBufferPointer(rebasing: target[count...]))) ?? 0
            }
            guard written > 0 else { break }
            count += written
        }
        return output.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
}
