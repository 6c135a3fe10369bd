import HTTPTypes
import NetTesting
import Testing

@testable import NetCore

@Suite struct CallContextIdentityTests {
    private let field = HTTPField(name: .authorization, value: "Bearer a")
    private var request: PreparedRequest { .test(headers: [.authorization: "Bearer a", .accept: "x"]) }
    private let context = CallContext.test()
    private var holder: CallIdentity { .holder(of: field) }

    @Test func aContextWithoutAnIdentityKnowsNobody() {
        #expect(!context.tracksIdentity)
        #expect(context.knownIdentity(of: request) == .everyone)
        #expect(context.identity(of: request) == holder)
        #expect(context.difference(of: request) == nil)
        #expect(context.includes(.named("ann")))
        #expect(context.accounting(for: field).tracksIdentity == false)
        #expect(context.selecting([.authorization: "Bearer a"]) == [.authorization: "Bearer a"])
    }

    @Test func aCredentialThatIsAccountedForIsNoFurtherIdentity() {
        let ann = context.identified(as: .named("ann"), of: request)
        #expect(ann.tracksIdentity)
        #expect(!context.tracksIdentity)
        #expect(ann.identity(of: request) == CallIdentity.named("ann").union(holder))
        #expect(ann.difference(of: request) == .header(.authorization))
        #expect(ann.difference(of: .test()) == nil)
        let accounted = ann.accounting(for: field)
        #expect(accounted.identity(of: request) == .named("ann"))
        #expect(accounted.difference(of: request) == nil)
        #expect(accounted.identity(of: .test(headers: [.authorization: "Bearer b"])) != .named("ann"))
        #expect(accounted.knownIdentity(of: request) == .named("ann"))
    }

    @Test func theRequestsCredentialsBecomeTheIdentity() {
        let by = context.identified(by: request)
        #expect(by.knownIdentity(of: .test()) == holder)
        #expect(by.difference(of: request) == nil)
        let twice = context.identified(as: .named("ann"), of: request).identified(by: request)
        #expect(twice.knownIdentity(of: .test()) == CallIdentity.named("ann").union(holder))
        var own = request
        own.options.identity = .named("bob")
        #expect(!context.identified(by: own).tracksIdentity)
        #expect(context.knownIdentity(of: own) == .named("bob"))
        #expect(context.identity(of: own) == .named("bob"))
        #expect(context.identified(as: .everyone, of: request).difference(of: own) == nil)
        #expect(context.identified(like: by).identity(of: .test()) == holder)
    }

    @Test func onlyIdentitiesOfTheCallAreIncluded() {
        let both = context.identified(as: CallIdentity.named("ann").union(.named("bob")), of: request)
        #expect(both.includes(.named("ann")))
        #expect(both.includes(.everyone))
        #expect(!both.includes(.named("eve")))
        #expect(!both.includes(CallIdentity.named("ann").union(.named("eve"))))
    }

    @Test func accountedCredentialsSelectNothing() {
        let cookie = HTTPField(name: .cookie, value: "s=1")
        let accounted = context.identified(as: .everyone, of: request).accounting(for: field).accounting(for: cookie)
        let headers: HTTPFields = [.authorization: "Bearer a", .cookie: "s=1", .accept: "x"]
        #expect(accounted.selecting(headers) == [.cookie: "s=1", .accept: "x"])
        #expect(accounted.selecting([.authorization: "Bearer b"]) == [.authorization: "Bearer b"])
        #expect(context.identified(as: .everyone, of: request).selecting(headers) == headers)
    }

    @Test func theRequestsOwnRulesSayWhatIsACredential() {
        var policy = RedactionPolicy.safeDefault
        policy.headerNames.insert("x-tenant")
        let named = PreparedRequest.test(headers: ["X-Tenant": "p"]) { $0.redaction = policy }
        #expect(context.identity(of: named) != .everyone)
        #expect(context.identity(of: .test(headers: ["X-Tenant": "p"])) == .everyone)
        let plain = PreparedRequest.test(headers: [.accept: "p"]) { $0.redaction = policy }
        #expect(context.identity(of: plain) == .everyone)
    }

    @Test func aHeaderThatAMiddlewareAddsIdentifiesAUser() throws {
        let own = PreparedRequest.test(headers: ["X-User": "ann"])
        let context = context.identified(as: .everyone, of: .test())
        #expect(context.identified(as: .everyone, of: own).identity(of: own) == .everyone)
        let inside = context.identified(by: own)
        #expect(inside.knownIdentity(of: own) != .everyone)
        #expect(
            inside.knownIdentity(of: own)
                != context.identified(by: .test(headers: ["X-User": "bob"])).knownIdentity(of: own))
        #expect(inside.difference(of: own) == nil)
        #expect(context.identified(by: .test()).difference(of: own) == .header("X-User"))
        #expect(context.identified(by: .test()).difference(of: own)?.description == "X-User")
        #expect(context.identified(by: .test()).difference(of: .test()) == nil)
        #expect(context.difference(of: .test(headers: [.accept: "a", .traceParent: "b"])) == nil)
        let field = HTTPField(name: "X-User", value: "ann")
        #expect(context.identified(by: .test()).accounting(for: field).difference(of: own) == nil)
        #expect(context.accounting(for: field).identified(by: own).knownIdentity(of: own) == .everyone)
    }

    @Test func aPartFurtherInsideCoversADifferenceForItselfOnly() {
        let own = PreparedRequest.test(headers: ["X-User": "ann"])
        let outside = context.identified(as: .everyone, of: .test()).identified(by: .test())
        let inside = outside.identified(by: own)
        #expect(inside.knownIdentity(of: own) != .everyone)
        #expect(inside.difference(of: own) == .header("X-User"))
        #expect(inside.identified(by: own).difference(of: own) == .header("X-User"))
        #expect(outside.identified(by: .test()).difference(of: .test()) == nil)
    }

    @Test func aURLThatAMiddlewareChangesIdentifiesAUser() throws {
        let request = request("/me")
        let passed = context.identified(as: .everyone, of: request).identified(by: request)
        #expect(passed.difference(of: request) == nil)
        let others = [
            self.request("/me?user=ann"), self.request("/ann"), self.request("/me", at: "ann.example.com"),
            self.request("/me", scheme: "http"),
        ]
        for other in others {
            #expect(passed.difference(of: other) == .url)
            let accounted = passed.accounting(forURLOf: other, insteadOf: request)
            #expect(accounted.difference(of: other) == nil)
            #expect(accounted.difference(of: request) == .url)
            // A change that comes after one that isn't accounted for.
            let late = passed.accounting(forURLOf: self.request("/late"), insteadOf: other)
            #expect(late.difference(of: self.request("/late")) == .url)
        }
        // The outermost part that stores responses counts.
        let twice = passed.identified(by: others[0])
        #expect(twice.difference(of: others[0]) == .url)
        var named = others[0]
        named.options.identity = .named("ann")
        #expect(passed.difference(of: named) == nil)
    }

    private func request(_ path: String, at authority: String = "example.com", scheme: String = "https")
        -> PreparedRequest
    {
        PreparedRequest(head: HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path))
    }

    @Test func aCredentialsHolderIsNoIdentityOfARequest() {
        var request = PreparedRequest.test(headers: [.authorization: "Bearer a"])
        request.options.identity = .ofCredential
        #expect(context.identity(of: request) == holder)
        #expect(CallIdentity.ofCredential.isOfCredential)
        #expect(!CallIdentity.ofCredential.isLasting)
        let all = CallIdentity.named("ann").union(.holder(of: "x")).union(.ofCredential)
        #expect(all.lasting == .named("ann"))
        #expect(all.contains(.named("ann")))
        #expect(!CallIdentity.named("ann").contains(all))
    }

    @Test func partsOfAnIdentityAreToldApart() {
        let sealed = CallIdentity.sealed("hash")
        #expect(sealed.seal == "hash")
        #expect(CallIdentity.named("a").seal == nil)
        #expect(CallIdentity.everyone.seal == nil)
        #expect(sealed.isLasting)
        #expect(CallIdentity.named("a").isLasting)
        #expect(CallIdentity.everyone.isLasting)
        #expect(!CallIdentity.unique().isLasting)
        #expect(!CallIdentity.holder(of: "x").isLasting)
        #expect(!CallIdentity.named("a").union(.unique()).isLasting)
        let both = CallIdentity.named("a").union(.named("b")).union(.holder(of: "x"))
        #expect(both.names == ["a", "b"])
        #expect(both.description == "3 logins together")
        #expect(sealed.description == "one login")
        #expect(CallIdentity.everyone.description == "everyone")
        #expect(both.digest == both.digest)
        #expect(both.digest != sealed.digest)
        #expect(both.digest.split(separator: "-").count == 2)
        #expect(Set(both.digest.split(separator: "-")).count == 2, "two keys")
        #expect(CallIdentity.holder(of: field) != CallIdentity.holder(of: "Bearer a"), "a header isn't a plain secret")
    }

    @Test func dumpsOfContextsShowNoIdentity() {
        var text = ""
        dump(context.identified(as: .named("geheim"), of: request).identityState, to: &text)
        #expect(!text.contains("geheim"))
    }
}
