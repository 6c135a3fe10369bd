#if Tools
internal import NetCore
internal import NetRecord
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The exchanges of a HAR file or a cassette as redacted entries: a browser's HAR contains cookies and tokens.
struct RecordedEntries {
    /// The entries in file order; a WebSocket follows its handshake.
    let entries: [ReportEntry]

    init(path: String) throws(RecordFileError) {
        let calls = try Self.isHAR(path) ? RecordedCall.all(ofHAR: path) : Self.calls(ofCassette: path)
        entries = calls.flatMap { call in
            var socket = call.socket.map { ReportEntry($0) }
            socket?.messages = call.messages
            return [ReportEntry(call.detail)] + (socket.map { [$0] } ?? [])
        }
    }

    /// Returns true if the name is that of a HAR file.
    static func isHAR(_ path: String) -> Bool {
        let name = path.lowercased()
        return name.hasSuffix(".har") || name.hasSuffix(".har.gz")
    }

    private static func calls(ofCassette path: String) throws(RecordFileError) -> [RecordedCall] {
        try Cassette.read(from: path).exchanges.enumerated().map { index, exchange in
            let id = CallID(
                date: exchange.recordedAt,
                random: NetRandom { UInt64(truncatingIfNeeded: index + 1) &* 0x9e37_79b9_7f4a_7c15 })
            return RecordedCall(RedactionPolicy.safeDefault.redact(exchange), uid: id)
        }
    }
}
#endif
