internal import NetCore

extension CassetteReader {
    func socket(_ node: JSONNode) throws(RecordFileError) -> RecordedSocket {
        try reader.onlyMembers(["messages", "end", "isCut"], in: node)
        var socket = RecordedSocket()
        for message in try reader.array(reader.member("messages", of: node)) {
            socket.messages.append(try self.message(message))
        }
        if let end = node["end"] {
            socket.ending = try ending(end)
            socket.endDelay = try delay(of: end)
        }
        socket.isCut = try node["isCut"].map { node throws(RecordFileError) in try reader.bool(node) } ?? false
        return socket
    }

    private func message(_ node: JSONNode) throws(RecordFileError) -> RecordedSocket.Message {
        try reader.onlyMembers(["from", "after", "text", "base64", "file"], in: node)
        try reader.onlyOne(["text", "base64", "file"], in: node)
        let bytes = try content(node)
        return RecordedSocket.Message(
            try side(of: node), node["text"] == nil ? .binary(bytes) : .text(String(decoding: bytes, as: UTF8.self)),
            after: try delay(of: node))
    }

    private func ending(_ node: JSONNode) throws(RecordFileError) -> RecordedSocket.Ending {
        try reader.onlyMembers(["from", "code", "reason", "failure", "after"], in: node)
        if let failure = node["failure"] {
            try reader.onlyOne(["failure", "from"], in: node)
            try reader.onlyOne(["failure", "code"], in: node)
            return .failed(try self.failure(failure))
        }
        let code = try reader.member("code", of: node)
        guard let number = UInt16(exactly: try reader.number(code)),
            WebSocketCloseCode(rawValue: number).isValidOnWire || number == WebSocketCloseCode.noStatusReceived.rawValue
        else {
            throw reader.problem(
                code, "expected a code that may close a WebSocket, such as 1000 (RFC 6455 section 7.4)")
        }
        let reason = try node["reason"].map { node throws(RecordFileError) in try reader.string(node) } ?? ""
        guard reason.utf8.count <= 123 else {
            throw reader.problem(
                node, "the reason has \(reason.utf8.count) bytes, more than 123 (RFC 6455 section 5.5)")
        }
        return .closed(WebSocketCloseCode(rawValue: number), reason: reason, by: try side(of: node))
    }

    private func side(of node: JSONNode) throws(RecordFileError) -> RecordedSocket.Side {
        let member = try reader.member("from", of: node)
        guard let side = RecordedSocket.Side(rawValue: try reader.string(member)) else {
            throw reader.problem(member, "expected \"client\" or \"server\"")
        }
        return side
    }

    private func delay(of node: JSONNode) throws(RecordFileError) -> Duration {
        try node["after"].map { node throws(RecordFileError) in try reader.duration(node) } ?? .zero
    }
}
