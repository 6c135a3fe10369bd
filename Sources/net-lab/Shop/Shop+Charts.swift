#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetTesting

extension Shop {
    /// A chart. The shop's OpenAPI document has no charts.
    struct Chart: Codable, Sendable {
        let name: String
    }

    /// Charts: one that is fresh for a minute, one that must be revalidated, and one that never arrives.
    var chartStubs: [Stub] {
        [
            Stub(.get, "/v1/charts/north", .text("a chart").header(.cacheControl, "max-age=60")),
            Stub(.get, "/v1/charts/tides") { request in
                let response: StubResponse =
                    request.headers[.ifNoneMatch] == "\"1\"" ? .status(.notModified) : .text("a chart")
                return response.header(.cacheControl, "no-cache").header(.eTag, "\"1\"")
            },
            Stub(.get, "/v1/charts/endless") { [endless] _ in
                await endless.hold()
                return .text("too late")
            },
        ]
    }

    /// The contract of a chart server.
    static let charts: Contract = {
        var add = Contract.Expectation("add", .post, "/v1/charts", .json(["name": "Doggerland"], status: .created))
        add.body = .json(["name": "Doggerland"])
        let read = Contract.Expectation("read", .get, "/v1/charts/1", .json(["name": "North Sea"]))
        return Contract("charts", expectations: [read, add])
    }()
}
#endif
