internal import HTTPTypes
internal import NetCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Writes the JSON form of a cassette.
struct CassetteWriter {
    var bodies: BodyFiles

    mutating func document(_ cassette: Cassette) -> JSONValue {
        var exchanges: [JSONValue] = []
        for exchange in cassette.exchanges { exchanges.append(value(exchange)) }
        return ["version": .integer(Int64(Cassette.version)), "exchanges": .array(exchanges)]
    }

    private mutating func value(_ exchange: CapturedExchange) -> JSONValue {
        var request: [String: JSONValue] = [
            "method": .string(exchange.request.method.rawValue), "url": .string(exchange.request.url),
            "fields": Self.headers(exchange.request.headers),
        ]
        if !exchange.request.body.isAbsent { request["body"] = body(exchange.request.body) }
        var value: [String: JSONValue] = [
            "recordedAt": .string(RFC3339.format(exchange.recordedAt)),
            "milliseconds": Self.milliseconds(exchange.duration), "request": .object(request),
        ]
        switch exchange.outcome {
        case .response(let recorded):
            var response: [String: JSONValue] = [
                "status": .integer(Int64(recorded.status.code)), "fields": Self.headers(recorded.headers),
            ]
            if !recorded.status.reasonPhrase.isEmpty {
                response["reason"] = .string(recorded.status.reasonPhrase)
            }
            if !recorded.version.isEmpty { response["version"] = .string(recorded.version) }
            if !recorded.body.isAbsent { response["body"] = body(recorded.body) }
            if let trailers = recorded.trailers, !trailers.isEmpty { response["trailers"] = Self.headers(trailers) }
            if let recorded = recorded.socket { response["socket"] = socket(recorded) }
            value["response"] = .object(response)
        case .failure(let failure): value["failure"] = Self.failure(failure)
        }
        return .object(value)
    }

    private static func headers(_ headers: HTTPFields) -> JSONValue {
        .array(headers.map { .string("\($0.name.rawName): \($0.value)") })
    }

    static func failure(_ failure: CapturedExchange.Failure) -> JSONValue {
        ["code": .string(failure.code), "message": .string(failure.message)]
    }

    /// Rounds down to microseconds; smaller digits are noise.
    static func milliseconds(_ duration: Duration) -> JSONValue {
        let micro = max(0, duration.inNanoseconds) / 1000
        return micro % 1000 == 0 ? .integer(micro / 1000) : .number(Double(micro) / 1000)
    }

    private mutating func body(_ body: CapturedBody) -> JSONValue {
        var value: [String: JSONValue]
        if body.isTimed {
            var pieces: [JSONValue] = []
            for piece in body.pieces {
                var item = content(piece.bytes)
                if piece.delay > .zero { item["after"] = Self.milliseconds(piece.delay) }
                pieces.append(.object(item))
            }
            value = ["stream": .array(pieces)]
        } else {
            value = content(body.bytes)
        }
        if body.isCut { value["isCut"] = true }
        if let failure = body.failure { value["failure"] = Self.failure(failure) }
        return .object(value)
    }

    /// Returns text as lines, a small binary body as base64, or the file name of a large one.
    private mutating func content(_ bytes: Bytes) -> [String: JSONValue] {
        if let lines = BodyText.lines(bytes) { return ["text": .array(lines.map { .string($0) })] }
        return binary(bytes)
    }

    mutating func binary(_ bytes: Bytes) -> [String: JSONValue] {
        if bytes.count > BodyFiles.inlineBytes { return ["file": .string(bodies.add(bytes))] }
        var base64 = Substring(bytes.data.base64EncodedString())
        var lines: [JSONValue] = []
        while !base64.isEmpty {
            lines.append(.string(String(base64.prefix(76))))
            base64 = base64.dropFirst(76)
        }
        return ["base64": .array(lines)]
    }
}
