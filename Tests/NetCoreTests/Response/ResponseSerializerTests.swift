import Foundation
import HTTPTypes
import NetCore
import Testing

private struct User: Codable, Sendable, Equatable { var firstName: String }

@Suite struct ResponseSerializerTests {
    private func convert<Value>(
        _ serializer: ResponseSerializer<Value>, _ text: String, status: Int = 200, coding: JSONCoding = .standard
    ) throws -> Value {
        try serializer.convert(
            ResponseHead(status: .init(code: status)), Bytes(text.utf8), SerializationContext(coding: coding))
    }

    @Test func jsonTakesTheClientsCodersUnlessItHasItsOwn() throws {
        let text = #"{"first_name":"Ada"}"#
        #expect(try convert(.json, text, coding: .snakeCaseISO8601) == User(firstName: "Ada"))
        #expect(try convert(.json(coding: .snakeCaseISO8601), text) == User(firstName: "Ada"))
        #expect(throws: DecodingError.self) { try convert(ResponseSerializer<User>.json, text) }
        #expect(throws: (any Error).self) { try convert(ResponseSerializer<User>.json, "") }
        #expect(ResponseSerializer<User>.json.accept == "application/json")
    }

    @Test func anEmptyBodyIsNilWhereTheTypeIsOptional() throws {
        for status in [200, 204] {
            #expect(try convert(Request<User?>("x").serializer, "", status: status) == nil)
            #expect(try convert(ResponseSerializer<User?>.json, "", status: status) == nil)
            #expect(try convert(Request<String?>("x").serializer, "", status: status) == nil)
            #expect(try convert(Request<Data?>("x").serializer, "", status: status) == nil)
        }
        #expect(try convert(Request<User?>("x").serializer, "null") == nil)
        #expect(try convert(Request<User?>("x").serializer, #"{"firstName":"Ada"}"#) == User(firstName: "Ada"))
        #expect(throws: (any Error).self) { try convert(Request<User?>("x").serializer, " ") }
        // The same as without the question mark: not JSON.
        #expect(try convert(Request<String?>("x").serializer, #""Ada""#) == #""Ada""#)
        #expect(try convert(Request<Data?>("x").serializer, "null") == Data("null".utf8))
        #expect(Request<String?>("x").serializer.accept == Request<String>("x").serializer.accept)
    }

    @Test func bytesDataAndTextComeAsTheyAre() throws {
        #expect(try convert(.bytes, "a\0b") == Bytes("a\0b".utf8))
        #expect(try convert(.data, "a\0b") == Data("a\0b".utf8))
        #expect(try convert(.string, "tü") == "tü")
        #expect(try convert(.string, "").isEmpty)
        #expect(throws: (any Error).self) {
            try ResponseSerializer<String>.string.convert(
                ResponseHead(status: .ok), Bytes([0x61, 0xff]), SerializationContext())
        }
    }

    @Test func emptyWantsNothingAndDiscardTakesAnything() throws {
        #expect(throws: Never.self) {
            let _: Void = try convert(.empty, "")
            let _: Void = try convert(.discard, "x")
        }
        let error = #expect(throws: (any Error).self) { try convert(ResponseSerializer<Void>.empty, "abc") }
        #expect(error.map { "\($0)" }?.contains("3 bytes") == true)
    }

    @Test func mappingChangesTheValueAndKeepsTheAccept() throws {
        let names = ResponseSerializer<User>.json.map(\.firstName)
        #expect(try convert(names, #"{"firstName":"Ada"}"#) == "Ada")
        #expect(names.accept == "application/json")
        struct Refused: Error {}
        #expect(throws: Refused.self) { try convert(ResponseSerializer<Bytes>.bytes.map { _ in throw Refused() }, "") }
    }

    @Test func theStatusChooses() throws {
        let serializer = ResponseSerializer<String>.byStatus { status in
            switch status {
            case 200: .string
            case 204: ResponseSerializer<Void>.empty.map { _ in "nothing" }
            default: nil
            }
        }
        #expect(try convert(serializer, "x") == "x")
        #expect(try convert(serializer, "", status: 204) == "nothing")
        let error = #expect(throws: UndeclaredResponse.self) { try convert(serializer, "", status: 418) }
        #expect(error?.status == 418)
        #expect(error?.description.contains("418") == true)
    }

    @Test func aStreamedValueReadsTheBodyItself() async throws {
        let body = try convert(ResponseSerializer<ResponseBody>.body, "abc")
        #expect(try await body.collect(upTo: 3) == Bytes("abc".utf8))
        let mapped = try convert(ResponseSerializer<ResponseBody>.body.map { $0.whole?.count }, "abc")
        #expect(mapped == 3)
    }
}
