import NetCore
import Testing

@Suite struct SecurityRequirementsTests {
    @Test func theAlternativesReadAsWords() {
        let both = SecurityRequirements(
            alternatives: [[.init("apiKey"), .init("appID")], [.init("oauth", scopes: ["read", "write"])], []])
        #expect("\(both)" == "apiKey and appID, or oauth (read write), or none")
        #expect("\(SecurityRequirements.none)" == "none")
        #expect("\(SecurityRequirements(alternatives: []))" == "none")
    }

    @Test func aRequestSaysNothingUnlessItIsTold() {
        #expect(RequestMetadata.none.security == nil)
        #expect(RequestMetadata(name: "a").security == nil)
        let open = RequestMetadata(name: "a", security: SecurityRequirements.none)
        #expect(open.security?.alternatives == [[]])
        #expect(open != RequestMetadata(name: "a"))
    }
}
