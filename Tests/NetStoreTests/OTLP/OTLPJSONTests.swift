import Foundation
import HTTPTypes
import NetCore
import Testing

@testable import NetStore

/// The JSON of a request, and the meaning of a response.
struct OTLPJSONTests {
    private func decode(_ body: (inout OTLPJSON) -> Void) throws -> JSONValue {
        var json = OTLPJSON()
        body(&json)
        return try JSONCoding.standard.decode(JSONValue.self, from: Bytes(json.bytes))
    }

    @Test func `IDs are hexadecimal, 64-bit numbers are text, enumerations are numbers`() throws {
        var span = OTLPSpan(
            trace: CallID(high: 1, low: 0xabc), span: 0xf, name: "GET", kind: .client, start: 1, end: 2)
        span.parent = 16
        span.attributes.add("count", Int64.max)
        span.attributes.add("tags", ["a", "b"])
        span.fail("timeout", "too late")
        let value = try decode { span.write(to: &$0) }
        #expect(value["traceId"] == "00000000000000010000000000000abc")
        #expect(value["spanId"] == "000000000000000f")
        #expect(value["parentSpanId"] == "0000000000000010")
        #expect(value["kind"] == 3)
        #expect(value["flags"] == 257)
        #expect(value["startTimeUnixNano"] == "1000")
        #expect(value["endTimeUnixNano"] == "2000")
        #expect(value.attribute("count") == ["intValue": "9223372036854775807"])
        #expect(value.attribute("tags") == ["arrayValue": ["values": [["stringValue": "a"], ["stringValue": "b"]]]])
        #expect(value["status"] == ["code": 2, "message": "too late"])
    }

    @Test func `Moments before 1970 and far ahead are clamped, and no span ends before it starts`() throws {
        let early = OTLPSpan(trace: CallID(high: 1, low: 1), span: 1, name: "", kind: .internal, start: 5, end: -1)
        #expect(try decode { early.write(to: &$0) }["endTimeUnixNano"] == "5000")
        let far = OTLPSpan(
            trace: CallID(high: 1, low: 1), span: 1, name: "", kind: .internal, start: .min, end: .max)
        let value = try decode { far.write(to: &$0) }
        #expect(value["startTimeUnixNano"] == "0")
        #expect(value["endTimeUnixNano"] == "9223372036854775807")
    }

    @Test(arguments: ["", "a\"b\\c/d", "\u{0}\u{1f}\n\t\u{7f}", "é 😀 \u{2028}", "\u{fffd}"])
    func `Any text comes back`(text: String) throws {
        #expect(try decode { $0.string(text) } == .string(text))
    }

    @Test func `Metadata of a line keeps its types`() throws {
        var item = StoredItem(id: 3, uid: CallID(high: 1, low: 2), kind: .log, startedAt: StoredTime.date(1_000_000))
        (item.level, item.message, item.name) = ("warning", "late", "app")
        item.detail = #"{"a":"x","b":[1,true],"c":{"d":1.5},"e":null}"#
        item.owner = CallID(high: 3, low: 4)
        let record = OTLPLogRecord(OTLPEntry(item: item))
        let value = try decode { record.write(to: &$0) }
        #expect(value["severityNumber"] == 13)
        #expect(value["severityText"] == "warning")
        #expect(value["timeUnixNano"] == "1000000000")
        #expect(value["body"] == ["stringValue": "late"])
        #expect(value.attribute("a") == ["stringValue": "x"])
        #expect(value.attribute("b") == ["arrayValue": ["values": [["intValue": "1"], ["boolValue": true]]]])
        #expect(value.attribute("c")?["kvlistValue"]?["values"] == [["key": "d", "value": ["doubleValue": 1.5]]])
        #expect(value.attribute("e") == nil)
        #expect(value["traceId"] == "00000000000000030000000000000004")
        let span = OTLPSpanID.derived(from: CallID(high: 3, low: 4), .call)
        #expect(value["spanId"]?.stringValue == span.paddedHexadecimal)
    }

    @Test(arguments: [
        (200, "", nil as String?, OTLPVerdict.accepted(rejected: 0, message: nil)),
        (200, "{}", nil, .accepted(rejected: 0, message: nil)),
        (202, #"{"partialSuccess":{}}"#, nil, .accepted(rejected: 0, message: nil)),
        (
            200, #"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"no"}}"#, nil,
            .accepted(rejected: 3, message: "no")
        ),
        (200, #"{"partialSuccess":{"rejectedSpans":3}}"#, nil, .accepted(rejected: 3, message: nil)),
        (200, #"{"partialSuccess":{"rejectedSpans":"99999999999"}}"#, nil, .accepted(rejected: 10, message: nil)),
        (200, #"{"partialSuccess":{"rejectedSpans":-1}}"#, nil, .accepted(rejected: 0, message: nil)),
        (200, "<html>", nil, .unreadable), (200, "[]", nil, .unreadable), (200, "\"ok\"", nil, .unreadable),
        (503, "", nil, .retry(after: nil)), (429, "", "7", .retry(after: .seconds(7))),
        (502, "", "x", .retry(after: nil)),
        (504, "", "Thu, 01 Jan 2026 00:00:09 GMT", .retry(after: .seconds(9))),
        (413, "", nil, .tooLarge), (400, "", nil, .rejected), (422, "", nil, .rejected), (500, "", nil, .failed),
        (401, "", nil, .refused), (403, "", nil, .refused), (404, "", nil, .refused), (405, "", nil, .refused),
        (307, "", nil, .refused), (304, "", nil, .refused),
    ])
    func `A response means`(status: Int, body: String, retryAfter: String?, expected: OTLPVerdict) {
        var head = ResponseHead(status: .init(code: status))
        if let retryAfter { head.headers[.retryAfter] = retryAfter }
        let verdict = OTLPVerdict(
            head, Bytes(body.utf8), count: 10, rejectedCount: "rejectedSpans", now: Events.start)
        #expect(verdict == expected)
    }
}
