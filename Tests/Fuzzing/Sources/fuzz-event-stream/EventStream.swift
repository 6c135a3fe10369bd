import Foundation
import FuzzSupport
import NetCore

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The first byte chooses the pieces, the second the limit, the rest is an event stream and lines. Reading whole and
/// reading in pieces must have the same result.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 2 else { return 0 }
    let bytes = Bytes(UnsafeBufferPointer(start: start + 2, count: count - 2))
    let (step, limit) = (1 + Int(start[0]) % 40, 16 + Int(start[1]) * 16)
    for read in [events, lines] {
        let whole = read(bytes, count, limit)
        let pieces = read(bytes, step, limit)
        guard whole == pieces else { fatalError("read whole: \(whole)\nread in pieces: \(pieces)") }
    }
    return 0
}

/// Returns the events, the last ID, and how the stream ended.
func events(_ bytes: Bytes, _ step: Int, _ limit: Int) -> [String] {
    var parser = ServerSentEventParser(maximumEventBytes: limit)
    var found: [String] = []
    do throws(NetError) {
        var offset = 0
        while offset < bytes.count {
            var input = bytes[offset..<min(offset + step, bytes.count)]
            offset += input.count
            while let event = try parser.next(from: &input) {
                guard event.data.utf8.count <= 3 * limit else { fatalError("larger than its limit") }
                found.append("\(event)")
            }
            if !input.isEmpty { fatalError("input was left over") }
        }
    } catch {
        return found + ["\(error.code)"]
    }
    guard found.count == parser.eventCount else { fatalError("\(parser.eventCount) events counted") }
    return found + [parser.lastEventID]
}

/// Returns the lines, and how the stream ended.
func lines(_ bytes: Bytes, _ step: Int, _ limit: Int) -> [String] {
    var parser = LineParser(maximumLineBytes: limit)
    var found: [String] = []
    do throws(NetError) {
        var offset = 0
        while offset < bytes.count {
            var input = bytes[offset..<min(offset + step, bytes.count)]
            offset += input.count
            while let line = try parser.next(from: &input) {
                guard line.count <= limit, !line.contains(10), !line.contains(13) else { fatalError("no line") }
                found.append(String(decoding: line, as: UTF8.self))
            }
            if !input.isEmpty { fatalError("input was left over") }
        }
    } catch {
        return found + ["\(error.code)"]
    }
    return found + [parser.finish().map { String(decoding: $0, as: UTF8.self) } ?? ""]
}
