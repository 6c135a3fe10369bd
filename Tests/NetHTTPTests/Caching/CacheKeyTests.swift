import HTTPTypes
import NetCore
import Testing

@testable import NetHTTP

/// RFC 3986 section 6.2.2, as far as it doesn't change the meaning.
@Suite struct CacheKeyTests {
    private func key(_ scheme: String, _ authority: String, _ path: String) -> CacheKey {
        CacheKey(
            PreparedRequest(head: HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)))
    }

    @Test(arguments: [
        ("HTTP", "Example.com:80", "/a", "http://example.com/a"), ("https", "h:443", "/", "https://h/"),
        ("https", "h:8443", "/", "https://h:8443/"), ("http", "h", "/%7Euser/%e2%82%ac", "http://h/~user/%E2%82%AC"),
        ("http", "h", "/a/./b/../c?d=./e", "http://h/a/c?d=./e"), ("http", "h", "/a%2fb?q=%2f", "http://h/a%2Fb?q=%2F"),
        ("http", "h", "/?a=1&b=2", "http://h/?a=1&b=2"), ("http", "h", "/%", "http://h/%"),
        ("http", "h", "/%zz%4", "http://h/%zz%4"), ("http", "[::1]:80", "/x", "http://[::1]/x"),
        ("http", "h", "//a?.x", "http://h//a?.x"), ("http", "h", "/%%46%36", "http://h/%%46%36"),
        ("http", "h", "//%61/../b", "http://h//b"),
        ("http", "h", "/a/%2e%2e/b", "http://h/a/%2E%2E/b"),
    ])
    func urlsAreWrittenInOneWay(scheme: String, authority: String, path: String, url: String) {
        #expect(key(scheme, authority, path).url == url)
        #expect(CacheKey(url: "\(scheme)://\(authority)\(path)")?.url == url)
    }

    @Test func distinctRequestsHaveDistinctKeys() {
        let urls = [("/a", "/A"), ("/a", "/a/"), ("/a?", "/a"), ("/a?b=1&c=2", "/a?c=2&b=1"), ("/a%2Fb", "/a/b")]
        for (left, right) in urls { #expect(key("http", "h", left) != key("http", "h", right)) }
        #expect(key("http", "h", "/") != key("https", "h", "/"))
        let request = PreparedRequest(head: HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/"))
        #expect(CacheKey(request) != CacheKey(request, partition: "other"))
    }

    @Test func aSiblingHasTheSameOrigin() {
        let start = key("http", "h", "/a/b?c")
        #expect(start.sibling("d")?.url == "http://h/a/d")
        #expect(start.sibling("http://H:80/e")?.url == "http://h/e")
        #expect(start.sibling("")?.url == start.url)
        #expect(start.sibling("//other/e") == nil)
        #expect(start.sibling("https://h/e") == nil)
        #expect(start.sibling("http://h.other/e") == nil)
    }

    @Test func secretsOfTheURLAreNotPrinted() {
        let key = key("https", "h", "/?access_token=geheim")
        #expect(!"\(key)".contains("geheim"))
        #expect(key.url.contains("geheim"))
    }
}

/// RFC 9111 section 4.1.
@Suite struct VarySelectionTests {
    private func matches(
        _ vary: String, _ stored: HTTPFields, _ presented: HTTPFields, language: String? = nil
    ) -> Bool? {
        let names = VarySelection.names([.vary: vary])
        return VarySelection(vary: names, request: stored)?.matches(presented, language: language)
    }

    @Test func theStarMatchesNothing() {
        for text in ["*", "*, *", ", *", "*, Foo", "Foo, *", "Foo,*"] {
            #expect(matches(text, [:], [:]) == nil, "\(text)")
        }
        #expect(matches("", [:], [:]) == true)
    }

    @Test func valuesAreComparedWithoutWhatMeansNothing() {
        let name = HTTPField.Name.ifRange
        #expect(matches("if-range", [name: "1, 2"], [name: "1,2"]) == true)
        #expect(matches("If-Range", [name: "1 , 2"], [name: " 1, 2 "]) == true)
        #expect(matches("If-Range", [name: "\"1, 2\""], [name: "\"1,2\""]) == false)
        #expect(matches("If-Range", [name: "1 2"], [name: "12"]) == false)
        #expect(matches("If-Range", [name: "a"], [name: "A"]) == false)
        #expect(matches("If-Range", [name: "1"], [:]) == false)
        #expect(matches("If-Range", [:], [name: "1"]) == false)
        #expect(matches("If-Range", [:], [name: ""]) == false)
        #expect(matches("If-Range, Accept", [:], [:]) == true)
    }

    @Test func negotiationIsComparedByWeight() {
        let name = HTTPField.Name.acceptLanguage
        #expect(matches("Accept-Language", [name: "en, de"], [name: "DE,en"]) == true)
        #expect(matches("Accept-Language", [name: "en, de;q=0.5"], [name: "de, en;q=0.5"]) == false)
        #expect(matches("Accept-Language", [name: "en, de"], [name: "fr;q=0.5, de"], language: "de") == true)
        #expect(matches("Accept-Language", [name: "en, de"], [name: "fr, de"], language: "de") == false)
        #expect(matches("Accept-Language", [name: "en, de"], [name: "de;q=0"], language: "de") == false)
        #expect(matches("Accept-Language", [name: "en"], [:], language: "en") == false)
        #expect(matches("Accept", [.accept: "a/b;q=1, c/d"], [.accept: "c/d,a/b"]) == true)
    }

    @Test func credentialsAreComparedAsAHashAndTogetherWithTheIdentity() throws {
        let bob: HTTPFields = [.authorization: "Basic Ym9i"]
        #expect(matches("Authorization", bob, bob) == true)
        #expect(matches("Authorization", bob, [:]) == false)
        #expect(matches("Authorization", [:], bob) == false)
        #expect(matches("Authorization", bob, [.authorization: "Basic YW5u"]) == false)
        // Middleware further inside may add credentials that the request doesn't have here.
        let selection = try #require(VarySelection(vary: ["authorization"], request: [:], identity: .named("bob")))
        #expect(selection.matches([:], language: nil, identity: .named("bob")))
        #expect(!selection.matches([:], language: nil, identity: .named("ann")))
        #expect(!selection.matches([:], language: nil))
        let cookie = try #require(
            VarySelection(vary: ["cookie"], request: [.cookie: "geheim"], identity: .named("bob")))
        #expect(!"\(cookie)".contains("geheim"))
        #expect(!"\(cookie)".contains("bob"))
    }
}
