import HTTPTypes
import NetCore
import Testing

@Suite struct ResponseTests {
    private func location(_ value: String?, url: (String, String)? = ("h:8080", "/v1/users?token=SECRET")) -> String? {
        var headers = HTTPFields()
        headers[.location] = value
        let request = url.map {
            PreparedRequest(head: HTTPRequest(method: .post, scheme: "https", authority: $0.0, path: $0.1))
        }
        let call = CallSummary(id: CallID(high: 0, low: 0), method: .post, url: "https://h")
        return Response(
            value: (), head: ResponseHead(status: .created, headers: headers), call: call, request: request
        ).location
    }

    @Test func theLocationIsResolvedAgainstTheRequest() {
        #expect(location("/users/7") == "https://h:8080/users/7")
        #expect(location("7?a=b#c") == "https://h:8080/v1/7?a=b#c")
        #expect(location("../x") == "https://h:8080/x")
        #expect(location("//other/x") == "https://other/x")
        #expect(location("http://o/x") == "http://o/x")
        #expect(location(nil) == nil)
    }

    @Test func invalidURLCharactersAreEscapedInLocations() throws {
        #expect(location("/a b?q=ü#f g") == "https://h:8080/a%20b?q=%C3%BC#f%20g")
        #expect(location("/a%2Fb%20c?x=[1]") == "https://h:8080/a%2Fb%20c?x=[1]")
        let url = try #require(location("/ü"))
        #expect(try BaseURL(url).path == "/%C3%BC")
    }

    @Test func withoutARequestOnlyAWholeURLIsALocation() {
        #expect(location("http://o/x", url: nil) == "http://o/x")
        #expect(location("/x", url: nil) == nil)
    }

    @Test func printingAResponseShowsNoSecretOfItsURL() {
        let request = PreparedRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "h", path: "/?token=SECRET"))
        let call = CallSummary(id: CallID(high: 0, low: 0), method: .get, url: "https://h")
        let response = Response(value: (), head: ResponseHead(status: .ok), call: call, request: request)
        var dumped = ""
        dump(response, to: &dumped)
        #expect(!"\(response)\(dumped)".contains("SECRET"))
    }
}
