#if Tools
internal import NetRecord
internal import NetStore

/// The exchanges of a HAR file or a cassette as redacted entries: a browser's HAR contains cookies and tokens.
struct RecordedEntries {
    /// The entries in file order; a WebSocket follows its handshake.
    let entries: [ReportEntry]
    /// The remarks about a HAR file.
    let remarks: HARRemarks

    init(path: String, _ kind: InputFile = .har) throws(RecordFileError) {
        let (calls, remarks) =
            try kind == .har
            ? RecordedCall.all(ofHAR: path) : (RecordedCall.all(ofCassette: path), HARRemarks())
        self.remarks = remarks
        entries = calls.flatMap { call in
            var socket = call.socket.map { ReportEntry($0) }
            socket?.messages = call.messages
            return [ReportEntry(call.detail)] + (socket.map { [$0] } ?? [])
        }
    }
}
#endif
