internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HARReader {
    /// The WebSocket of an entry; nil where it opened none. Times are seconds since 1970; a browser doesn't say how the
    /// WebSocket ended.
    func socket(_ entry: JSONNode, since start: Double?, wait: Double) throws(RecordFileError) -> RecordedSocket? {
        guard let list = entry["_webSocketMessages"] else { return nil }
        var socket = RecordedSocket()
        var last = start.map { $0 + wait / 1000 }
        for node in try reader.array(list) {
            let time = node["time"]?.number
            let delay = max(0, (time ?? 0) - (last ?? time ?? 0))
            last = time ?? last
            guard let message = try message(node) else { continue }
            socket.messages.append(
                .init(try side(node), message, after: .microseconds(Int64((min(delay, 1e10) * 1e6).rounded()))))
        }
        if let end = entry["_webSocketEnd"] {
            socket.ending = try ending(end)
            if let after = end["after"] { socket.endDelay = try reader.duration(after) }
        }
        socket.isCut = entry["_webSocketIsCut"]?.bool ?? false
        return socket
    }

    private func side(_ node: JSONNode) throws(RecordFileError) -> RecordedSocket.Side {
        let type = try reader.member("type", of: node)
        switch try reader.string(type) {
        case "send": return .client
        case "receive": return .server
        default: throw reader.problem(type, "expected \"send\" or \"receive\"")
        }
    }

    /// Nil for control frames, which some programs list, too.
    private func message(_ node: JSONNode) throws(RecordFileError) -> WebSocketMessage? {
        let data = try reader.member("data", of: node)
        let text = try reader.string(data)
        switch node["opcode"]?.number ?? 1 {
        case 1: return .text(text)
        case 2:
            guard let bytes = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
                throw reader.problem(data, "this is no base64 (RFC 4648 section 4)")
            }
            return .binary(Bytes(bytes))
        default: return nil
        }
    }

    private func ending(_ node: JSONNode) throws(RecordFileError) -> RecordedSocket.Ending {
        if let error = node["error"]?.string { return .failed(Self.failure(error)) }
        let code = try reader.member("code", of: node)
        guard let number = UInt16(exactly: try reader.number(code)) else {
            throw reader.problem(code, "expected the code of a closing handshake, such as 1000")
        }
        return .closed(
            WebSocketCloseCode(rawValue: number), reason: node["reason"]?.string ?? "", by: try side(node))
    }
}
