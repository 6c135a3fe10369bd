import HTTPTypes
import NetCore
import Testing

@Suite struct CallIdentityTests {
    private func request(_ headers: HTTPFields = [:], _ identity: CallIdentity? = nil) -> PreparedRequest {
        var request = PreparedRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/", headerFields: headers))
        request.options.identity = identity
        return request
    }

    private func identity(_ request: PreparedRequest) -> CallIdentity {
        CallContext(for: request).identity(of: request)
    }

    @Test func namesAndSecretsAreEqualWhereTheyAreTheSame() {
        #expect(CallIdentity.named("ann") == .named("ann"))
        #expect(CallIdentity.named("ann") != .named("bob"))
        #expect(CallIdentity.holder(of: "s") == .holder(of: "s"))
        #expect(CallIdentity.holder(of: "s") != .holder(of: "t"))
        #expect(CallIdentity.unique() != .unique())
        let both = CallIdentity.named("ann").union(.holder(of: "s"))
        #expect(both == .holder(of: "s").union(.named("ann")))
        #expect(both.union(.named("ann")) == both)
        #expect(CallIdentity.everyone.union(both) == both)
        #expect(both.union(.everyone) == both)
    }

    @Test func namesThatAreNotLookedAtAreNoCredentials() throws {
        for name in HarmlessHeaders.names {
            #expect(!RedactionPolicy.safeDefault.isSensitive(try #require(HTTPField.Name(name))), "\(name)")
        }
    }

    @Test func credentialHeadersAreAnIdentity() {
        #expect(identity(request()) == .everyone)
        #expect(identity(request([.accept: "a/b", .userAgent: "x"])) == .everyone)
        var seen: Set<CallIdentity> = []
        for (name, value) in [
            (HTTPField.Name.authorization, "Bearer a"), (.authorization, "Bearer b"), (.cookie, "s=1"),
            (.cookie, "s=2"),
            ("X-API-Key", "Bearer a"), ("X-Auth-Token", "k"),
        ] {
            #expect(seen.insert(identity(request([name: value]))).inserted, "\(name)")
        }
        #expect(!seen.contains(.everyone))
        #expect(seen.contains(identity(request([.authorization: "Bearer a"]))))
    }

    @Test func aClientsOwnSecretHeadersCountToo() {
        let name = HTTPField.Name("X-Tenant")
        var redaction = RedactionPolicy.safeDefault
        redaction.headerNames.insert("x-tenant")
        let request = request([name: "p"])
        let context = CallContext(for: request, environment: .init(redaction: redaction))
        #expect(context.identity(of: request) != .everyone)
        #expect(identity(request) == .everyone)
        // With redaction disabled, different users are still distinguished.
        let open = CallContext(for: request, environment: .init(redaction: .disabled))
        #expect(open.identity(of: self.request([.authorization: "Bearer a"])) != .everyone)
    }

    @Test func theRequestsOwnIdentityTakesThePlaceOfItsCredentials() {
        let headers: HTTPFields = [.authorization: "Bearer a"]
        #expect(identity(request(headers, .named("ann"))) == .named("ann"))
        #expect(identity(request(headers, .everyone)) == .everyone)
    }

    @Test func nothingOfItIsShown() {
        let identity = CallIdentity.named("ann@geheim.example").union(.holder(of: "geheim"))
        var text = "\(identity) \(String(reflecting: identity)) \([identity])"
        dump(identity, to: &text)
        #expect(!text.contains("geheim"))
    }
}
