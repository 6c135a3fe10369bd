#if os(Linux)
internal import HTTPTypes
internal import NetCore

/// Gathers header lines into one block: interim responses are dropped, trailers kept apart, everything bounded.
struct HeadCollector {
    /// What a line brought.
    enum Action: Equatable { case none, head, tooLarge, malformed }

    /// The most bytes of all header sections of one response together, trailers and interim responses included.
    static let limit = 256 << 10

    private var lines: [UInt8] = []
    private var status = 0
    private var reason = ""
    private(set) var version = ""
    private var seen = 0
    private(set) var isComplete = false
    private var trailerLines: [UInt8] = []
    private var mayHaveContentEncoding = false

    /// Takes one line with its line end, as libcurl hands it over.
    mutating func receive(_ line: UnsafeRawBufferPointer) -> Action {
        seen += line.count
        guard seen <= Self.limit else { return .tooLarge }
        if isComplete, isProxyChallenge, line.starts(with: "HTTP/".utf8) {
            // libcurl has answered the challenge with another request: what counts is what comes now.
            lines.removeAll(keepingCapacity: true)
            (status, isComplete) = (0, false)
        }
        if isComplete {
            if line.count > 2 { trailerLines.append(contentsOf: line) }
            return .none
        }
        if status == 0 { return readStatusLine(line) ? .none : .malformed }
        guard line.count <= 2, line.first == 13 || line.first == 10 else {
            if lines.isEmpty { lines.reserveCapacity(512) }
            // "content-" and an e; a look at three bytes is cheaper than a search in every response. A line that goes on with
            // the one before does not matter: the name stands on the first.
            if line.count > 17, line[0] | 0x20 == UInt8(ascii: "c"), line[7] == UInt8(ascii: "-"),
                line[8] | 0x20 == UInt8(ascii: "e")
            {
                mayHaveContentEncoding = true
            }
            lines.append(contentsOf: line)
            return .none
        }
        if status < 200 && status != 101 {
            lines.removeAll(keepingCapacity: true)
            status = 0
            return .none
        }
        isComplete = true
        return .head
    }

    /// Whether a proxy asks who we are. libcurl may have an answer.
    var isProxyChallenge: Bool { status == 407 }

    /// The head, once complete.
    func head() -> ResponseHead {
        ResponseHead(
            status: HTTPResponse.Status(code: status, reasonPhrase: reason), version: version,
            block: HeaderBlock(lines, mayHaveContentEncoding: mayHaveContentEncoding))
    }

    /// The trailer fields, if any came.
    var trailers: HTTPFields? { trailerLines.isEmpty ? nil : HeaderBlock(trailerLines).fields }

    /// `HTTP/1.1 200 OK` or `HTTP/2 200`.
    private mutating func readStatusLine(_ line: UnsafeRawBufferPointer) -> Bool {
        var end = line.count
        while end > 0, line[end - 1] == 13 || line[end - 1] == 10 || line[end - 1] == 32 { end -= 1 }
        var place = 5
        guard end > place, UnsafeRawBufferPointer(rebasing: line[..<place]).elementsEqual("HTTP/".utf8) else {
            return false
        }
        while place < end, line[place] != 32 { place += 1 }
        guard place < end else { return false }
        version = String(decoding: line[5..<place], as: UTF8.self)
        place += 1
        let digits = place
        while place < end, line[place] >= 48, line[place] <= 57 {
            status = status * 10 + Int(line[place] - 48)
            place += 1
            guard place - digits <= 3 else { return false }
        }
        guard place - digits == 3 else { return false }
        while place < end, line[place] == 32 { place += 1 }
        reason = String(decoding: line[place..<end], as: UTF8.self)
        return status >= 100
    }
}
#endif
