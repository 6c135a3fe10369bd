internal import NetCompression
internal import NetCore

/// Decompresses bodies that the store has compressed.
enum InflatedBody {
    /// The maximum number of bytes searched in a body: 1 MiB, four times the default `maximumBodyBytes`.
    static let maximumBytes = 1 << 20
    /// The maximum number of bytes of a body that is read whole: a file from somebody else may contain anything.
    static let maximumWholeBytes = 64 << 20

    /// Inflates a whole body; returns nil if it's damaged or longer than the limit.
    static func whole(_ compressed: [UInt8], maximum: Int = maximumWholeBytes) -> Bytes? {
        compressed.withUnsafeBytes { compressed in
            withBytes(of: compressed, maximum: maximum) { bytes, isWhole in isWhole ? Bytes(bytes) : nil }
        }
    }

    /// Inflates a body in gzip format, up to the limit or the first damaged byte; the closure's second argument is
    /// false if the result isn't whole.
    static func withBytes<Value>(
        of compressed: UnsafeRawBufferPointer, maximum: Int = maximumBytes,
        _ body: (_ bytes: UnsafeRawBufferPointer, _ isWhole: Bool) -> Value
    ) -> Value {
        var inflater = Inflater(.gzip)
        var rest = compressed[...]
        var output = [UInt8](repeating: 0, count: min(maximum, max(1024, compressed.count * 4)))
        var (count, isDamaged) = (0, false)
        while true {
            if count == output.count {
                guard count < maximum else { break }
                output.append(contentsOf: repeatElement(0, count: min(output.count, maximum - count)))
            }
            let written = output.withUnsafeMutableBytes { target in
                do {
                    return try inflater.decode(&rest, into: UnsafeMutableRawBufferPointer(rebasing: target[count...]))
                } catch {
                    isDamaged = true
                    return 0
                }
            }
            guard written > 0 else { break }
            count += written
        }
        let isWhole = !isDamaged && !compressed.isEmpty && count < maximum && (try? inflater.finish()) != nil
        return output.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count]), isWhole) }
    }
}
