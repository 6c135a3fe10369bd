#if Tools && Server
internal import Foundation
internal import NetCore

/// The beginning of a file in readable form.
enum Preview {
    /// Returns a line such as `image/png: 89 50 4e 47 0d 0a 1a 0a …`, or the first line of a text.
    static func line(of path: String) -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { return "cannot be read" }
        defer { try? file.close() }
        let head = Bytes((try? file.read(upToCount: MediaType.sniffedBytes)) ?? Data())
        let type = MediaType.sniff(head)
        let isText = type.map { $0.essence.hasPrefix("text/") } ?? true
        let first = head.prefix(60).prefix { $0 != UInt8(ascii: "\n") }
        if isText, !first.isEmpty, first.allSatisfy({ (32..<127).contains($0) }) {
            return "\(type?.essence ?? "text"): \(String(decoding: first, as: UTF8.self))"
        }
        let digits = head.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        return "\(type?.essence ?? "unknown"): \(digits) …"
    }
}
#endif
