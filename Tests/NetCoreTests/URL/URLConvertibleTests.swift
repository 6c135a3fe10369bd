import Foundation
import NetCore
import Testing

@Suite struct URLConvertibleTests {
    private let builder = RequestBuilder(baseURL: nil, defaultHeaders: [:], coding: .standard)

    @Test func aRequestTakesEveryKindOfURL() throws {
        let text = "https://h.test/a?b=1"
        let url = try #require(URL(string: text))
        let requests = [
            Request<String>(url: text), Request<String>(url: text[...]), Request<String>(url: url),
            Request<String>(url: try BaseURL(text)),
        ]
        for request in requests { #expect(try builder.prepare(request).url == text) }
    }

    @Test func aBaseURLTakesEveryKindToo() throws {
        let url = try #require(URL(string: "https://h.test/v1/"))
        #expect(try BaseURL(url) == BaseURL("https://h.test/v1/" as String))
        #expect(throws: NetError.self) { try BaseURL("ftp://h.test" as String) }
    }

    @Test(arguments: ["", "h.test/x", "/only/a/path", "mailto:a@b.test", "https://h.test:99999"])
    func invalidURLsAreRejected(text: String) {
        let error = #expect(throws: NetError.self) { try builder.prepare(Request<String>(url: text)) }
        #expect(error?.code == .invalidRequest)
        // Foundation's parser may be more lenient, but its result isn't a server's URL either.
        guard let url = URL(string: text) else { return }
        #expect(throws: NetError.self) { try builder.prepare(Request<String>(url: url)) }
    }
}
