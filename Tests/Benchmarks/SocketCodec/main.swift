// socket-codec-bench COUNT: compresses and decodes frames of 1 KB of JSON, compared with plain zlib on the same bytes.
//
// Prints a line of JSON with the nanoseconds per message for the codec and for zlib, measured alternately.

import CZlib
import Glibc
import NetCore
import NetSocketCore

/// Returns a message of about 1 KB; no two are equal.
func message(_ number: Int) -> String {
    var text = "{\"sequence\":\(number),\"channel\":\"trades\",\"trades\":["
    for index in 0..<12 {
        let price = 17_000 + (number &* 7919 &+ index &* 104_729) % 1000
        text += "{\"id\":\(number &* 9 &+ index),\"symbol\":\"BTCUSDT\",\"price\":\"\(price).\(index)0\","
        text += "\"quantity\":\"0.0\(index)31\","
        text += "\"side\":\"\(index % 2 == 0 ? "buy" : "sell")\"},"
    }
    return text.dropLast() + "]}"
}

func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// One side's plain zlib stream, with the same settings.
struct Bare {
    var stream = z_stream()
    var room = [UInt8](repeating: 0, count: 4096)

    mutating func run(
        _ bytes: UnsafeRawBufferPointer, _ step: (UnsafeMutablePointer<z_stream>, CInt) -> CInt
    ) -> Int {
        room.withUnsafeMutableBytes { room in
            stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.avail_in = UInt32(bytes.count)
            stream.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.avail_out = UInt32(room.count)
            _ = step(&stream, Z_SYNC_FLUSH)
            return room.count - Int(stream.avail_out)
        }
    }
}

struct Times {
    var deflate = 0, inflate = 0, bareDeflate = 0, bareInflate = 0, bytes = 0, compressed = 0
}

/// Measures the messages of a connection that keeps its windows, through the codec and through plain zlib.
func measure(_ messages: [String]) -> Times {
    var times = Times()
    let settings = WebSocketCompression()
    var frames = FrameBuffer(role: .server, maskKeys: MaskKeys())
    frames.startCompressing(settings, pool: DeflatePool())
    var decoder = MessageDecoder(role: .client, maximumMessageBytes: 1 << 20)
    decoder.startInflating(settings, pool: DeflatePool())
    var (deflater, inflater) = (Bare(), Bare())
    deflateInit2_(
        &deflater.stream, CInt(settings.level), Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        CInt(MemoryLayout<z_stream>.size))
    inflateInit2_(&inflater.stream, -15, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    var events: [WebSocketEvent] = []
    for text in messages {
        let message = WebSocketMessage.text(text)
        let bytes = Array(text.utf8)
        let start = nanoseconds()
        frames.append(message)
        let sent = nanoseconds()
        let count = bytes.withUnsafeBytes { deflater.run($0, deflate) }
        let bare = nanoseconds()
        _ = deflater.room.withUnsafeBytes { inflater.run(UnsafeRawBufferPointer(rebasing: $0[..<count]), inflate) }
        let bareEnd = nanoseconds()
        frames.withPending { pending in
            do throws(WebSocketViolation) { try decoder.receive(pending, into: &events) } catch { exit(1) }
        }
        decoder.rest()
        let end = nanoseconds()
        guard events.removeLast() == .message(message) else { exit(1) }
        times.compressed += frames.count
        frames.consume(frames.count)
        times.bytes += bytes.count
        times.deflate += sent - start
        times.bareDeflate += bare - sent
        times.bareInflate += bareEnd - bare
        times.inflate += end - bareEnd
    }
    deflateEnd(&deflater.stream)
    inflateEnd(&inflater.stream)
    return times
}

let count = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 0 : 20_000
let messages = (0..<max(1, count)).map(message)
_ = measure(Array(messages.prefix(1000)))
let times = measure(messages)
func each(_ total: Int) -> Int { total / messages.count }
print(
    """
    {"messages":\(messages.count),"bytes":\(each(times.bytes)),"compressed":\(each(times.compressed)),\
    "deflate":\(each(times.deflate)),"bareDeflate":\(each(times.bareDeflate)),"inflate":\(each(times.inflate)),\
    "bareInflate":\(each(times.bareInflate))}
    """)
