internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension HARReader {
    /// Returns the entry's WebSocket; nil if it didn't open one. Times are seconds since 1970. Browsers don't record
    /// how the WebSocket ended.
    mutating func socket(
        _ entry: JSONNode, since start: Double, wait: Double
    ) throws(RecordFileError) -> RecordedSocket? {
        guard let list = try messageList(entry) else { return nil }
        var socket = RecordedSocket()
        var last: Double? = start + wait / 1000
        for message in try messages(list) {
            let delay = max(0, (message.time ?? 0) - (last ?? message.time ?? 0))
            last = message.time ?? last
            if message.isCut { socket.isCut = true }
            // Some programs list control frames too; they aren't messages.
            guard let content = message.content else { continue }
            socket.messages.append(
                .init(
                    message.isSent ? .client : .server, content,
                    after: .microseconds(Int64((min(delay, 1e10) * 1e6).rounded()))))
        }
        if let end = entry["_webSocketEnd"] {
            do throws(RecordFileError) {
                socket.ending = try ending(end)
                if let after = end["after"] { socket.endDelay = try reader.duration(after) }
            } catch {
                try skip(error)
            }
        } else if let error = Self.errorFrame(list) {
            socket.ending = .failed(.init(code: NetError.Code.protocolViolation.rawValue, message: error))
        }
        if entry["_webSocketIsCut"]?.bool == true { socket.isCut = true }
        return socket
    }

    /// Returns the text of the frame by which Chromium says that a WebSocket failed; it has the opcode -1.
    private static func errorFrame(_ list: JSONNode) -> String? {
        list.array?.last { $0["type"]?.string == "error" }?["data"]?.string
    }

    private func side(_ node: JSONNode) throws(RecordFileError) -> RecordedSocket.Side {
        let type = try reader.member("type", of: node)
        switch try reader.string(type) {
        case "send": return .client
        case "receive": return .server
        default: throw reader.problem(type, "expected \"send\" or \"receive\"")
        }
    }

    /// Returns the messages of an entry, or nil if it didn't open a WebSocket. They are in a member, or as lines of
    /// JSON in a file beside the HAR file, where Playwright writes them with `content: "attach"`.
    mutating func messageList(_ entry: JSONNode) throws(RecordFileError) -> JSONNode? {
        if let list = entry["_webSocketMessages"] { return list }
        guard entry["_resourceType"]?.string == "websocket", let content = entry["response"]?["content"],
            let bytes = try fileBytes(content)
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).joined(separator: ",\n")
        do throws(UnreadableJSON) {
            return try JSONDocument(Bytes("[\(lines)]".utf8), replacesLoneSurrogates: true).node()
        } catch {
            try skip(reader.problem(content, "the file that \"_file\" names has a line that isn't JSON"))
            return nil
        }
    }

    /// Returns all messages of a list, including control frames.
    mutating func messages(_ list: JSONNode) throws(RecordFileError) -> [HARMessage] {
        var messages: [HARMessage] = []
        guard let nodes = list.array else {
            try skip(reader.problem(list, "expected a list, found \(list.kindName)"))
            return []
        }
        for node in nodes where isStrict || node["type"]?.string != "error" {
            do throws(RecordFileError) { messages.append(try message(node)) } catch { try skip(error) }
        }
        return messages
    }

    private func message(_ node: JSONNode) throws(RecordFileError) -> HARMessage {
        let data = try reader.member("data", of: node)
        let text = try reader.string(data)
        var message = HARMessage(
            isSent: try side(node) == .client, opcode: Int(exactly: node["opcode"]?.number ?? 1) ?? -1, text: text)
        guard [1, 2, 8, 9, 10].contains(message.opcode) else {
            throw reader.problem(node, "expected an opcode of RFC 6455: 1, 2, 8, 9 or 10")
        }
        if message.opcode == 2 || node["_encoding"]?.string == "base64" {
            guard let bytes = HARText.base64(text) else {
                throw reader.problem(data, "this isn't valid base64 (RFC 4648 section 4)")
            }
            message.bytes = bytes
        }
        // Seconds since 1970; some programs write milliseconds.
        message.time = node["time"]?.number.map { $0 > 1e11 ? $0 / 1000 : $0 }
        message.size = node["_size"]?.number.flatMap { Int64(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
        message.isCut = node["_isCut"]?.bool ?? false
        return message
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
