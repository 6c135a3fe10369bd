#if Tools && Server
import HTTPTypes
import NetCore
import NetSocketServer
import Testing

@testable import net_lab

@Suite struct ChatPageTests {
    @Test func `Only scripts and styles with the nonce of the response run`() {
        let response = ChatPage().response(to: .get, "/", nonce: "n0nce")
        let page = String(decoding: response.body, as: UTF8.self)
        let policy = response.headers[.contentSecurityPolicy] ?? ""
        #expect(
            policy.hasPrefix(
                "default-src 'none'; script-src 'nonce-n0nce'; style-src 'nonce-n0nce'; connect-src 'self'"))
        #expect(!policy.contains("unsafe"))
        #expect(page.hasPrefix("<!doctype html>"))
        #expect(page.components(of: "<script").count - 1 == page.components(of: "<script nonce=\"n0nce\">").count - 1)
        #expect(page.components(of: "<style").count - 1 == page.components(of: "<style nonce=\"n0nce\">").count - 1)
        #expect(!page.contains("{nonce}"))
    }

    @Test func `The page needs nothing from elsewhere, and writes no HTML`() {
        let page = String(decoding: ChatPage().response(to: .get, "/").body, as: UTF8.self)
        for forbidden in [" src=", "https://", "@import", "innerHTML", "style=\"", "onclick=\"", "eval("] {
            #expect(!page.contains(forbidden), "\(forbidden)")
        }
    }

    @Test func `Each response has another nonce`() {
        #expect(ChatPage.nonce() != ChatPage.nonce())
    }

    @Test func `Other paths and methods are refused`() {
        #expect(ChatPage().response(to: .get, "/").status == .ok)
        #expect(ChatPage().response(to: .get, "/other").status == .notFound)
        #expect(ChatPage().response(to: .post, "/").status == .methodNotAllowed)
        #expect(ChatPage(file: "/nowhere.html").response(to: .get, "/").status == .internalServerError)
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
#endif
