import Foundation
import HTTPTypes
import NetCore
import Testing

@Suite struct ProblemDetailsTests {
    private func read(_ text: String, _ type: String = "application/problem+json; charset=utf-8") throws
        -> ProblemDetails?
    {
        try ProblemDetails(
            head: ResponseHead(status: .forbidden, headers: [.contentType: type]), body: Bytes(text.utf8))
    }

    private struct Credit: Decodable, Equatable { let balance: Int, accounts: [String] }

    @Test func membersAndExtensionsAreRead() throws {
        let problem = try #require(
            try read(
                #"{"type":"https://example.com/out-of-credit","title":"No credit","status":403,"detail":"30, not 50","#
                    + #""instance":"/account/12345/msgs/abc","balance":30,"accounts":["/a","/b"]}"#))
        #expect(problem.type == "https://example.com/out-of-credit")
        #expect(problem.title == "No credit")
        #expect(problem.status == 403)
        #expect(problem.detail == "30, not 50")
        #expect(problem.instance?.hasSuffix("abc") == true)
        #expect(try problem.extensions(as: Credit.self) == Credit(balance: 30, accounts: ["/a", "/b"]))
        let written = try JSONCoding.standard.encode(problem)
        #expect(try JSONCoding.standard.decode(ProblemDetails.self, from: written) == problem)
    }

    @Test func aMemberOfAnotherTypeIsPassedOver() throws {
        let problem = try #require(try read(#"{"type":7,"title":null,"status":"403","detail":[],"more":true}"#))
        #expect(problem == ProblemDetails(extensions: ["more": true]))
        #expect(problem.type == "about:blank")
    }

    @Test func otherMediaTypesAreNoneAndXMLIsSaidToBeUnsupported() throws {
        #expect(try read("{}", "application/json") == nil)
        #expect(try ProblemDetails(head: ResponseHead(status: .forbidden), body: Bytes("{}".utf8)) == nil)
        let xml = #expect(throws: NetError.self) { try read("<problem/>", "application/problem+xml") }
        #expect(xml?.code == .unsupported)
        for text in ["", "[]", "{", "null"] {
            let error = #expect(throws: NetError.self) { try read(text) }
            #expect(error?.code == .decoding)
        }
    }

    @Test func datesAmongTheOtherMembersAreRead() throws {
        struct More: Decodable { let until: Date }
        let problem = try read(#"{"until":"1970-01-01T00:00:01.5Z"}"#)
        #expect(try problem?.extensions(as: More.self).until.timeIntervalSince1970 == 1.5)
    }

    @Test func anErrorHasThemInOneCall() throws {
        let head = ResponseHead(status: .forbidden, headers: [.contentType: "application/problem+json"])
        let body = Bytes(#"{"title":"no"}"#.utf8)
        let failed = APIError<Never>.failed(
            NetError(.unacceptableStatus, phase: .validating, message: "", response: .init(head: head, body: body)))
        #expect(try failed.problemDetails()?.title == "no")
        #expect(try APIError<Int>.rejected(1, RejectedResponse(head: head, body: body)).problemDetails()?.title == "no")
        #expect(try APIError<Never>.failed(NetError(.timeout, phase: .waiting, message: "")).problemDetails() == nil)
    }
}
