import Foundation
import FuzzSupport
import NetCore

@testable import NetCompression
@testable import NetHTTP

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The first byte chooses the coding and the pieces, the rest is the encoded body. Reading whole and reading in pieces
/// must have the same result.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 1 else { return 0 }
    let bytes = Bytes(UnsafeBufferPointer(start: start + 1, count: count - 1))
    let codings = ContentCoding.allCases
    let coding = codings[Int(start[0]) % codings.count]
    let whole = decoded(bytes, coding, step: count)
    let pieces = decoded(bytes, coding, step: 1 + Int(start[0]) / codings.count)
    guard whole.end == pieces.end else { fatalError("whole: \(whole.end), in pieces: \(pieces.end)") }
    // The output before an error may differ in length, but one must be a prefix of the other.
    let common = min(whole.bytes.count, pieces.bytes.count)
    guard whole.bytes[0..<common] == pieces.bytes[0..<common],
        whole.end != "whole" || whole.bytes.count == pieces.bytes.count
    else { fatalError("\(whole.bytes.count) bytes whole, \(pieces.bytes.count) in pieces, or others") }
    return 0
}

/// Returns the output, at most a mebibyte, and how decoding ended.
func decoded(_ bytes: Bytes, _ coding: ContentCoding, step: Int) -> (bytes: [UInt8], end: String) {
    var decoder = coding.makeDecoder()
    var output: [UInt8] = []
    do throws(CodingFailure) {
        var offset = 0
        while offset < bytes.count {
            var input = bytes[offset..<min(offset + step, bytes.count)]
            offset += input.count
            while let piece = try decoder.piece(of: &input) {
                if piece.isEmpty { fatalError("an empty piece") }
                output += piece
                if output.count > 1 << 20 { return ([], "large") }
            }
            if !input.isEmpty { fatalError("input was left over") }
        }
        try decoder.finish()
    } catch {
        return (output, "\(error)")
    }
    return (output, "whole")
}
