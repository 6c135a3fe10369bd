import NetCore
@_spi(Generated) import NetOpenAPIRuntime
import Testing

private struct Unsendable: Encodable, Sendable {
    struct Failure: Error {}
    func encode(to encoder: any Encoder) throws { throw Failure() }
}

@Suite struct ParametersTests {
    private let builder = RequestBuilder(
        baseURL: "http://x.test", defaultHeaders: [:], coding: .standard)

    @Test func aQueryValueThatCannotBeEncodedIsAnErrorAndNotLeftOut() throws {
        let queries: [QueryItems] = [
            QueryItem.parameter("when", Unsendable()),
            QueryItems([QueryItem.jsonParameter("when", Unsendable())].compactMap { $0 }),
        ]
        for query in queries {
            let error = #expect(throws: NetError.self) {
                try builder.prepare(Request<Bytes>("a", query: query))
            }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("\"when\"") == true)
        }
    }

    @Test func aPathValueThatCannotBeEncodedIsAnError() {
        var path: Path = "users/"
        path.append(parameter: "id", Unsendable())
        let error = #expect(throws: NetError.self) { try builder.prepare(Request<Bytes>(path)) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func aPathValueInsideOfASegmentIsNotLeftOutEither() {
        for style in [ParameterStyle.simple, .label, .matrix] {
            var path: Path = "reports/v"
            path.append(parameter: "year", Unsendable(), style: style)
            path.append(literal: ".json")
            let error = #expect(throws: NetError.self) { try builder.prepare(Request<Bytes>(path)) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("\"year\"") == true)
        }
    }

    @Test func nilSendsNothing() throws {
        let prepared = try builder.prepare(Request<Bytes>("a", query: QueryItem.parameter("when", nil as Int?)))
        #expect(prepared.head.path == "/a")
    }
}
