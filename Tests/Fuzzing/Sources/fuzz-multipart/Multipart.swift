import Foundation
import FuzzSupport

@testable import NetCore

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The first byte chooses the pieces, the second the limits, the rest is a body with the boundary `b`. Reading whole
/// and reading in pieces must have the same result.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 2 else { return 0 }
    let bytes = Bytes(UnsafeBufferPointer(start: start + 2, count: count - 2))
    let whole = verdict(bytes, step: count, start[1])
    let pieces = verdict(bytes, step: 1 + Int(start[0]) % 40, start[1])
    guard whole == pieces else { fatalError("read whole: \(whole)\nread in pieces: \(pieces)") }
    return 0
}

/// Returns the parts, joined, and how reading ended.
func verdict(_ bytes: Bytes, step: Int, _ limits: UInt8) -> [String] {
    var parts: [String] = []
    var body: [UInt8] = []
    var isOpen = false
    do throws(NetError) {
        var parser = try MultipartParser(
            boundary: "b", maximumHeaderBytes: 16 + Int(limits >> 4) * 32, maximumParts: 1 + Int(limits & 3),
            requiresNames: limits & 4 != 0)
        var offset = 0
        while offset < bytes.count {
            var input = bytes[offset..<min(offset + step, bytes.count)]
            offset += input.count
            while let event = try parser.next(from: &input) {
                switch event {
                case .part(let headers):
                    if isOpen { fatalError("a part within a part") }
                    (isOpen, body) = (true, [])
                    parts.append(
                        "\(headers) \(headers.disposition?.name ?? "-") \(headers.mediaType?.description ?? "-")")
                case .body(let piece):
                    if !isOpen || piece.isEmpty { fatalError("bytes without a part, or none") }
                    body += piece
                case .partEnd:
                    if !isOpen { fatalError("an end without a part") }
                    isOpen = false
                    parts.append(String(decoding: body, as: UTF8.self))
                }
            }
            if !input.isEmpty { fatalError("input was left over") }
        }
        try parser.finish()
        if isOpen { fatalError("a part was not closed") }
    } catch {
        // Part of the body of an incomplete part may have arrived.
        return parts + ["\(error.code)"]
    }
    return parts + ["end"]
}
