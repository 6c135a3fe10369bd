import Foundation
import FuzzSupport

@testable import NetCore
@testable import NetSocketCore

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The first four bytes choose the negotiated settings, the limit and the cuts; the rest is used twice: as a peer's
/// frames, which are decoded whole and in pieces, and as the payload of a message that is compressed and decoded again.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    guard count > 4 else { return 0 }
    let settings = Settings(input)
    let bytes = UnsafeRawBufferPointer(rebasing: input[4...])
    let whole = settings.read(bytes, steps: [max(1, bytes.count)], rests: false)
    let pieces = settings.read(bytes, steps: [1 + Int(input[3]), 1 + Int(input[2]) % 7], rests: input[0] & 2 != 0)
    // zlib detects a distance beyond a small window only if the referenced bytes have left its output: such a message
    // of a peer that violates the negotiated settings is accepted or rejected depending on the cuts.
    let isStrict = settings.compression.receiving.windowBits == 15
    guard whole == pieces || !isStrict else { fatalError("read whole: \(whole)\nread in pieces: \(pieces)") }
    // As one frame marked as compressed, so that all of the input reaches zlib.
    var frame: [UInt8] = [0xC2, 126, UInt8(bytes.count >> 8 & 255), UInt8(bytes.count & 255)]
    if bytes.count > 125, bytes.count < 65_536 {
        frame += bytes
        _ = frame.withUnsafeBytes { settings.read($0, steps: [frame.count], rests: false) }
    }
    settings.sendAgain(bytes)
    return 0
}

struct Settings {
    let compression: WebSocketCompression
    let limit: Int

    init(_ input: UnsafeRawBufferPointer) {
        let direction = WebSocketCompression.Direction(
            windowBits: 9 + Int(input[0] >> 2) % 7, takesOverContext: input[0] & 1 == 0)
        compression = WebSocketCompression(
            sending: direction, receiving: direction, minimumBytes: 0, level: 1 + Int(input[1]) % 9,
            memoryLevel: 1 + Int(input[1] >> 4) % 9)
        limit = [0, 10, 1000, 100_000, Int.max][Int(input[1]) % 5]
    }

    func read(_ bytes: UnsafeRawBufferPointer, steps: [Int], rests: Bool) -> Reading {
        var decoder = MessageDecoder(role: .client, maximumMessageBytes: min(limit, 4 << 20))
        decoder.startInflating(compression, pool: DeflatePool())
        var reading = Reading()
        var rest = bytes[...]
        var turn = 0
        while !rest.isEmpty {
            let piece = rest.prefix(steps[turn % steps.count])
            rest = rest.dropFirst(piece.count)
            turn += 1
            do throws(WebSocketViolation) {
                try decoder.receive(UnsafeRawBufferPointer(rebasing: piece), into: &reading.events)
            } catch {
                guard reading.violation == nil else { fatalError("a second violation: \(error)") }
                reading.violation = error
            }
            if rests { decoder.rest() }
        }
        return reading
    }

    /// Sends the bytes twice as a message, once whole and once in parts, and decodes them again.
    func sendAgain(_ bytes: UnsafeRawBufferPointer) {
        var frames = FrameBuffer(role: .server, maskKeys: MaskKeys())
        frames.startCompressing(compression, pool: DeflatePool())
        frames.append(.binary(Bytes(bytes)))
        let middle = bytes.count / 2
        frames.append(
            part: UnsafeRawBufferPointer(rebasing: bytes[..<middle]), of: .binary, isFirst: true, isFinal: false)
        frames.append(
            part: UnsafeRawBufferPointer(rebasing: bytes[middle...]), of: .binary, isFirst: false, isFinal: true)
        let again = frames.withPending { Settings(compression).read($0, steps: [5, 1000], rests: true) }
        let message = WebSocketEvent.message(.binary(Bytes(bytes)))
        guard again.events == [message, message], again.violation == nil else { fatalError("sent and read: \(again)") }
    }

    private init(_ compression: WebSocketCompression) {
        self.compression = compression
        limit = .max
    }
}

/// A decoder's result for the bytes.
struct Reading: Equatable {
    var events: [WebSocketEvent] = []
    var violation: WebSocketViolation?
}
