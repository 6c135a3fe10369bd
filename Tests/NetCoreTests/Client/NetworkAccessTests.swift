import HTTPTypes
import Synchronization
import Testing

@testable import NetCore

@Suite struct NetworkAccessTests {
    @Test(arguments: [
        "localhost", "LOCALHOST:80", "localhost.", "api.localhost:8080", "127.0.0.1", "127.255.0.9:1", "[::1]",
        "[::1]:443",
        "user@localhost",
    ])
    func anAuthorityOfThisMachineIsLoopback(_ authority: String) {
        #expect(Authority(authority).isLoopback)
    }

    @Test(arguments: [
        "", "example.com", "localhost.example.com", "notlocalhost", "128.0.0.1", "127.1", "127.0.0.256", "127.0.0.01",
        "127.0.0.1.example.com", "0.0.0.0", "[::]", "[::ffff:127.0.0.1]", "localhost@example.com", "10.0.0.1",
    ])
    func anyOtherIsNot(_ authority: String) {
        #expect(!Authority(authority).isLoopback)
    }

    private static func context(_ path: String = "/") -> CallContext {
        CallContext(
            for: PreparedRequest(
                head: HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: path)))
    }

    private static func isAllowed(_ authority: String, _ context: CallContext) -> Bool {
        do throws(NetError) {
            try NetworkAccess.check(authority, context: context)
            return true
        } catch {
            return error.code != .networkDenied
        }
    }

    @Test func anAuthorityIsAllowedByItsScope() async {
        for (scope, allowed) in [
            (NetworkAccess.Scope.all, [true, true]), (.loopback, [false, true]), (.none, [false, false]),
        ] {
            let found = await NetworkAccess.limited(to: scope) {
                [NetworkAccess.allows("h.test"), NetworkAccess.allows("localhost")]
            }
            #expect(found == allowed)
        }
        #expect(NetworkAccess.allows("h.test"))
    }

    @Test func theInnermostScopeCountsAndTheReportComesBeforeTheError() async {
        let reports = Reports()
        let context = Self.context("/a?token=PLANTED")
        await NetworkAccess.limited(to: .none) { error in
            reports.add(error)
        } operation: {
            #expect(!Self.isAllowed("api.example.com", context))
            #expect(!Self.isAllowed("127.0.0.1", context))
            await NetworkAccess.limited(to: .loopback) {
                #expect(Self.isAllowed("127.0.0.1:80", context))
                #expect(!Self.isAllowed("api.example.com", context))
                await NetworkAccess.limited(to: .all) {
                    #expect(Self.isAllowed("api.example.com", context))
                }
            }
        }
        #expect(Self.isAllowed("api.example.com", context))
        let seen = reports.texts
        #expect(seen.count == 2)
        #expect(seen.first?.hasPrefix("networkDenied while preparing: no connections are allowed here; ") == true)
        #expect(seen.first?.contains("GET https://api.example.com/a") == true)
        #expect(!seen.joined().contains("PLANTED"))
    }

    @Test func itReachesTasksMadeInItButNoDetachedOnes() async {
        let context = Self.context()
        await NetworkAccess.limited(to: .none) {
            let child = await Task { Self.isAllowed("example.com", context) }.value
            let detached = await Task.detached { Self.isAllowed("example.com", context) }.value
            #expect(!child)
            #expect(detached)
        }
    }
}

private final class Reports: Sendable {
    private let list = Mutex<[String]>([])

    var texts: [String] { list.withLock { $0 } }

    func add(_ error: NetError) { list.withLock { $0.append("\(error)") } }
}
