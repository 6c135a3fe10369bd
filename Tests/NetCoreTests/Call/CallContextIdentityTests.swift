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
        #expect(context.accounts(for: request))
        #expect(context.includes(.named("ann")))
        #expect(context.accounting(for: field).tracksIdentity == false)
        #expect(context.selecting([.authorization: "Bearer a"]) == [.authorization: "Bearer a"])
    }

    @Test func aCredentialThatIsAccountedForIsNoFurtherIdentity() {
        let ann = context.identified(as: .named("ann"))
        #expect(ann.tracksIdentity)
        #expect(!context.tracksIdentity)
        #expect(ann.identity(of: request) == CallIdentity.named("ann").union(holder))
        #expect(!ann.accounts(for: request))
        #expect(ann.accounts(for: .test()))
        let accounted = ann.accounting(for: field)
        #expect(accounted.identity(of: request) == .named("ann"))
        #expect(accounted.accounts(for: request))
        #expect(accounted.identity(of: .test(headers: [.authorization: "Bearer b"])) != .named("ann"))
        #expect(accounted.knownIdentity(of: request) == .named("ann"))
    }

    @Test func theRequestsCredentialsBecomeTheIdentity() {
        let by = context.identified(by: request)
        #expect(by.knownIdentity(of: .test()) == holder)
        #expect(by.accounts(for: request))
        let twice = context.identified(as: .named("ann")).identified(by: request)
        #expect(twice.knownIdentity(of: .test()) == CallIdentity.named("ann").union(holder))
        var own = request
        own.options.identity = .named("bob")
        #expect(!context.identified(by: own).tracksIdentity)
        #expect(context.knownIdentity(of: own) == .named("bob"))
        #expect(context.identity(of: own) == .named("bob"))
        #expect(context.identified(as: .everyone).accounts(for: own))
        #expect(context.identified(like: by).identity(of: .test()) == holder)
    }

    @Test func onlyIdentitiesOfTheCallAreIncluded() {
        let both = context.identified(as: CallIdentity.named("ann").union(.named("bob")))
        #expect(both.includes(.named("ann")))
        #expect(both.includes(.everyone))
        #expect(!both.includes(.named("eve")))
        #expect(!both.includes(CallIdentity.named("ann").union(.named("eve"))))
    }

    @Test func accountedCredentialsSelectNothing() {
        let cookie = HTTPField(name: .cookie, value: "s=1")
        let accounted = context.identified(as: .everyone).accounting(for: field).accounting(for: cookie)
        let headers: HTTPFields = [.authorization: "Bearer a", .cookie: "s=1", .accept: "x"]
        #expect(accounted.selecting(headers) == [.cookie: "s=1", .accept: "x"])
        #expect(accounted.selecting([.authorization: "Bearer b"]) == [.authorization: "Bearer b"])
        #expect(context.identified(as: .everyone).selecting(headers) == headers)
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
        dump(context.identified(as: .named("geheim")).identityState, to: &text)
        #expect(!text.contains("geheim"))
    }
}
