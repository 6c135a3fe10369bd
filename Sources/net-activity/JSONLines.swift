#if Tools
internal import NetCore
internal import NetStore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A line of `--json`: the columns of a call, durations in microseconds.
struct CallLine: Encodable {
    let id, startedAt, method, url: String
    let operation, name: String?
    let tags: [String]
    let outcome: String
    let status: Int?
    let durationMicroseconds: Int64?
    let attempts: Int
    let requestBytes, responseBytes: Int64?
    let errorCode, errorPhase, errorMessage: String?

    init(_ call: CallRecord) {
        id = call.id.description
        startedAt = RFC3339.format(call.startedAt)
        method = call.method
        url = call.url
        operation = call.operation
        name = call.name
        tags = call.tags
        outcome = call.outcome?.rawValue ?? "running"
        status = call.status
        durationMicroseconds = call.duration.map { $0.inNanoseconds / 1000 }
        attempts = call.attempts
        requestBytes = call.requestBytes
        responseBytes = call.responseBytes
        errorCode = call.failure?.code
        errorPhase = call.failure?.phase
        errorMessage = call.failure?.message
    }

    /// One line, keys sorted, absent values left out.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
#endif
