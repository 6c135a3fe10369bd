#if Tools
internal import ArgumentParser

/// A number of bytes, or of bytes per second: `500000`, `500k`, `2M`, `1.5 MiB`. `k`, `M` and `G` are powers of 1000,
/// `Ki`, `Mi` and `Gi` powers of 1024; a trailing `B`, `/s` or `B/s` has no effect.
struct ByteCount: ExpressibleByArgument, Hashable {
    let bytes: Int64

    init?(argument: String) {
        var text = argument.lowercased().filter { $0 != " " }
        if text.hasSuffix("/s") { text.removeLast(2) }
        if text.hasSuffix("b") { text.removeLast() }
        let number = text.prefix { $0.isNumber || $0 == "." }
        let scales = ["": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "ki": 1024, "mi": 1_048_576, "gi": 1_073_741_824]
        guard let scale = scales[String(text.dropFirst(number.count))], let value = Double(number),
            (0...1e15).contains(value * scale)
        else { return nil }
        bytes = Int64(value * scale)
    }
}
#endif
