import HTTPTypes
import NetCore
import Testing

@Suite struct HeaderNameLiteralTests {
    private let builder = RequestBuilder(baseURL: "https://h.test", defaultHeaders: [:], coding: .standard)

    @Test func aLiteralIsAName() throws {
        let total: HTTPField.Name = "X-Total"
        let headers: HTTPFields = ["X-A": "b", total: "7"]
        #expect(headers["x-a"] == "b")
        #expect(headers["X-TOTAL"] == "7")
        #expect(ResponseHead(status: .ok, headers: headers)["X-Total"] == "7")
        let prepared = try builder.prepare(Request<Void>("x", headers: headers))
        #expect(prepared.head.headerFields.map(\.name.rawName) == ["X-A", "X-Total"])
    }

    @Test(arguments: ["X A", "", ":status", "X:A", "X\r\nEvil: 1", "Größe", "a/b"])
    func anInvalidLiteralIsAnErrorOfTheRequestAndNoTrap(literal: String) {
        let name = HTTPField.Name(stringLiteral: literal)
        #expect(ResponseHead(status: .ok)[name] == nil)
        let error = #expect(throws: NetError.self) { try builder.prepare(Request<Void>("x", headers: [name: "1"])) }
        let defaults = RequestBuilder(baseURL: "https://h.test", defaultHeaders: [name: "1"], coding: .standard)
        #expect(throws: NetError.self) { try defaults.prepare(Request<Void>("x")) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("\"\(literal)\" isn't the name") == true)
    }
}
