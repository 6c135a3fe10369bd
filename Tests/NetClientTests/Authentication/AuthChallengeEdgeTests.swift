import HTTPTypes
import NetCore
import Testing

@testable import NetClient

/// The limits of challenges, and their encoding.
@Suite struct AuthChallengeEdgeTests {
    private func list(_ count: Int) -> String { (0..<count).map { "p\($0)=1" }.joined(separator: ",") }

    @Test func aFieldHasSoManyBytesAndParameters() {
        #expect(AuthChallenge.maximumBytes == 65_536)
        #expect(AuthChallenge.maximumParameters == 64)
        let padding = { (count: Int) in String(repeating: " ", count: count) }
        #expect(AuthChallenge.list("A" + padding(65_535)).map(\.scheme) == ["A"])
        #expect(AuthChallenge.list("A" + padding(65_536)).isEmpty)
        #expect(FieldParameter.list("a=1" + padding(65_533))?.count == 1)
        #expect(FieldParameter.list("a=1" + padding(65_534)) == nil)
        #expect(FieldParameter.list(list(64))?.count == 64)
        #expect(FieldParameter.list(list(65)) == nil)
        #expect(AuthChallenge.list("A " + list(64)).first?.parameters.count == 64)
        #expect(AuthChallenge.list("A " + list(65)).isEmpty)
    }

    @Test func aLineThatIsTooLongDoesNotEndTheChallengeBeforeIt() {
        var headers = HTTPFields()
        for line in ["A x=1", "y=" + String(repeating: "2", count: 65_535), "z=3"] {
            headers.append(HTTPField(name: .wwwAuthenticate, value: line))
        }
        #expect(headers.challenges().map { $0.parameters.map(\.name) } == [["x", "z"]])
    }

    @Test(arguments: [
        ("algorithm", "MD5", "algorithm=MD5"), ("algorithm", "a b", "algorithm=\"a b\""),
        ("stale", "true", "stale=true"),
        ("userhash", "true", "userhash=true"), ("nc", "1", "nc=1"), ("nc", "", "nc=\"\""),
        ("realm", "a", "realm=\"a\""),
        ("qop", "auth", "qop=\"auth\""),
    ])
    func onlySomeValuesGoWithoutQuotes(name: String, value: String, written: String) throws {
        #expect(try AuthChallenge(scheme: "A", parameters: [.init(name, value)]).value == "A " + written)
    }

    @Test func itIsShownByItsSchemeAndItsRealm() throws {
        let realm = try AuthChallenge(scheme: "Basic", parameters: [.init("realm", "a \"b\""), .init("x", "SECRET")])
        #expect("\(realm)" == #"Basic realm="a \"b\"""#)
        #expect(realm.isScheme("BASIC"))
        #expect(!realm.isScheme("Basi"))
        #expect(try "\(AuthChallenge(scheme: "Bearer"))" == "Bearer")
        #expect(AuthChallenge.list("Negotiate ab==").first?.value == "Negotiate ab==")
        #expect(Mirror(reflecting: realm).children.map(\.label) == ["scheme", "realm"])
    }

    @Test func credentialsWithParametersAreThoseOfOneScheme() throws {
        #expect(try Authorization(scheme: "A", credentials: "x=1, B y=2").parameters.isEmpty)
        #expect(try Authorization(scheme: "A", credentials: "x=1, y=2").parameters.map(\.value) == ["1", "2"])
        #expect(throws: NetError.self) { try Authorization(scheme: "A", parameters: [.init("x", "\n")]) }
    }

    @Test func renewalHasItsDefaults() {
        let configuration = RefreshingCredentials.Configuration()
        #expect(configuration.renewsAhead == .seconds(60))
        #expect(configuration.timeout == .seconds(30))
        #expect(configuration.store == nil)
        #expect(configuration.lock == nil)
        #expect(configuration.identity == nil)
    }
}
