import Foundation
import HTTPTypes
import NetClient
import NetCore
import Testing

@Suite struct RateLimitTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func list(_ headers: [String: String]) throws -> [RateLimit] {
        var all = HTTPFields()
        for (name, value) in headers { all[try #require(HTTPField.Name(name))] = value }
        return RateLimit.list(in: all, now: now)
    }

    @Test func theStructuredFieldsAreJoinedByName() throws {
        let limits = try list([
            "RateLimit": #""day";r=100;t=36000, "minute";r=0;t=3;pk=:AP8=:"#,
            "RateLimit-Policy": #""minute";q=10;w=60,"day";q=1000;w=86400;qu="requests", "idle";q=5"#,
            // Ignored if the others are present.
            "X-RateLimit-Remaining": "7",
        ])
        try #require(limits.map(\.name) == ["day", "minute", "idle"])
        #expect(
            limits[0]
                == RateLimit(
                    name: "day", limit: 1000, remaining: 100, reset: .seconds(36000), window: .seconds(86400)))
        #expect(limits[1].isExhausted)
        #expect(limits[1].partition == Bytes([0, 255]))
        #expect(!limits[2].isExhausted)
    }

    @Test func theOlderFormsAreRead() throws {
        let expected = RateLimit(limit: 100, remaining: 42, reset: .seconds(30))
        #expect(try list(["RateLimit": "limit=100, remaining=42, reset=30"]) == [expected])
        for prefix in ["RateLimit-", "X-RateLimit-", "x-rate-limit-"] {
            let headers = [prefix + "Limit": "100, 100;w=60", prefix + "Remaining": "42", prefix + "Reset": "30"]
            #expect(try list(headers) == [expected], "\(prefix)")
        }
        // A time in seconds or milliseconds since 1970.
        for reset in ["1700000030", "1700000030000"] {
            #expect(try list(["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": reset])[0].reset == .seconds(30))
        }
        #expect(try list(["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "1600000000"])[0].reset == .zero)
    }

    @Test func malformedFieldsAreIgnored() throws {
        for headers in [
            [:], ["RateLimit": "\"a"], ["RateLimit": "5"], ["RateLimit": "\"a\";r=-1"], ["X-RateLimit-Limit": "many"],
            ["X-RateLimit-Limit": "99999999999999999999"], ["X-RateLimit-Reset": "5"], ["RateLimit": "(\"a\");r=1"],
        ] {
            #expect(try list(headers).isEmpty, "\(headers)")
        }
        #expect(try list(["X-RateLimit-Limit": "5", "X-RateLimit-Reset": "9223372036854775807"])[0].limit == 5)
        #expect(try list(["RateLimit": "\"a\";r=1;t=999999999999999"])[0].reset == nil)
    }
}
