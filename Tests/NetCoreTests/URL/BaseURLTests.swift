import NetCore
import NetTesting
import TestSupport
import Testing

/// Uses a variable, because a literal would use the initializer that doesn't throw.
private func parse(_ text: String) throws(NetError) -> BaseURL { try BaseURL(text) }

@Suite struct BaseURLTests {
    @Test(
        "A usable URL is read into its parts",
        arguments: [
            ("https://api.example.com/v1?key=x", "https", "api.example.com", "/v1", "key=x"),
            ("HTTP://Example.com", "http", "Example.com", "", nil),
            ("http://127.0.0.1:8080/", "http", "127.0.0.1:8080", "", nil),
            ("http://[::1]:8080/a/", "http", "[::1]:8080", "/a", nil),
            ("http://[2001:db8::1]", "http", "[2001:db8::1]", "", nil),
            ("https://h/a%20b//?#frag?x", "https", "h", "/a%20b", nil),
            ("https://h?x=1/2", "https", "h", "", "x=1/2"),
            ("https://h:/x", "https", "h", "/x", nil),
            ("https://h/@me/x:y", "https", "h", "/@me/x:y", nil),
        ])
    func goodURL(text: String, scheme: String, authority: String, path: String, query: String?) throws {
        let url = try parse(text)
        #expect(url.scheme == scheme)
        #expect(url.authority == authority)
        #expect(url.path == path)
        #expect(url.query == query)
    }

    @Test(
        "Anything else is refused with a reason",
        arguments: [
            "", "api.example.com", "ftp://example.com", "://x", "http:/x", "http:", "http://", "http:///path",
            "https://?q",
            "https://user@example.com", "https://user:secret@example.com/x", "https://h:99999", "https://h:80a",
            "https://h:+80", "https://h:-1", "https://h:8 0", "https://a b", "https://h/a b", "https://h/\n",
            "https://h\0",
            "https://h/é", "https://bücher.example", "https://h\\x", "https://h/\"x\"", "https://[::1",
            "https://[::1]8080",
            "https://[::1]x:80", "https://[]", "https://::1", "https://a:b:80", "https://h]", "https://h/\u{7f}",
            "https://[zz]", "https://h/\u{301}x", "https://:80", "https://h%2F", "https://h<x>",
            "https://h{x}", "https://h|x", "https://h^x", "https://h`x`/", "https://h%41",
        ])
    func badURL(text: String) throws {
        let error = #expect(throws: NetError.self) { try parse(text) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.phase == .preparing)
        #expect(error?.message.contains("secret") == false)
    }

    @Test(
        "Characters that are invalid in a URL are percent-encoded, and existing escapes are kept",
        arguments: [
            ("/a|b^c`d{e}", "/a%7Cb%5Ec%60d%7Be%7D"), ("/100%", "/100%25"), ("/%/%4/%zz", "/%25/%254/%25zz"),
            ("/%7b%7B%2f%00", "/%7b%7B%2f%00"), ("/a[1]:@!$&'()*+,;=~", "/a[1]:@!$&'()*+,;=~"),
            ("/?f=a|b&p=5%&q={x}&[y]=%41?", "/?f=a%7Cb&p=5%25&q=%7Bx%7D&[y]=%41?"), ("?x=^", "/?x=%5E"),
        ])
    func encoding(text: String, target: String) throws {
        let builder = RequestBuilder(baseURL: nil, defaultHeaders: [:], coding: .standard)
        #expect(try builder.prepare(Request<String>(url: "https://h" + text)).head.path == target)
        var options = RequestOptions()
        options.baseURL = try parse("https://h" + text)
        #expect(try builder.prepare(Request<Bytes>("", options: options)).head.path == target)
    }

    @Test func anEmptyQueryOfAnAbsoluteURLKeepsItsMark() throws {
        let builder = RequestBuilder(baseURL: "https://h/v1?", defaultHeaders: [:], coding: .standard)
        let item: QueryItems = [QueryItem("q", "1")]
        #expect(try builder.prepare(Request<String>(url: "https://h/p?")).head.path == "/p?")
        #expect(try builder.prepare(Request<String>(url: "https://h?#x")).head.path == "/?")
        #expect(try builder.prepare(Request<String>(url: "https://h/p??")).head.path == "/p??")
        #expect(try builder.prepare(Request<String>(url: "https://h/p?", query: item)).head.path == "/p?q=1")
        #expect(try builder.prepare(Request<Bytes>("p")).head.path == "/v1/p")
        #expect(try builder.prepare(Request<Bytes>("p", query: item)).head.path == "/v1/p?q=1")
    }

    @Test func aReasonShowsNoPassword() {
        let error = #expect(throws: NetError.self) { try parse("u:pw@example.com/x") }
        #expect(error?.description.contains("pw") == false)
    }

    @Test func anEmptyPortIsNone() throws {
        #expect(try parse("http://h:").authority == "h")
        #expect(try parse("https://[::1]:/x").authority == "[::1]")
        #expect(try parse("http://h:").description == "http://h")
        for text in ["http://h::", "http://:", "http://[::1]::"] {
            #expect(throws: NetError.self) { try parse(text) }
        }
    }

    @Test func anAddressWithoutItsLastBracketIsNamedAsSuch() {
        for text in ["http://[::1", "http://[::1/x", "http://[::1:80"] {
            let error = #expect(throws: NetError.self) { try parse(text) }
            #expect(error?.message.contains("has an opening bracket without a closing one") == true)
        }
    }

    @Test func theOriginLeavesTheDefaultPortOut() throws {
        #expect(try parse("HTTPS://Example.com:443/x").origin == "https://example.com")
        #expect(try parse("http://example.com:80").origin == "http://example.com")
        #expect(try parse("http://example.com:443").origin == "http://example.com:443")
        #expect(try parse("http://[::1]:80").origin == "http://[::1]")
        #expect(try parse("http://example.com:").origin == "http://example.com")
        #expect(try parse("http://example.com:0080").origin == "http://example.com")
        #expect(try parse("https://h?key=secret").description == "https://h")
    }

    @Test func aBadLiteralDoesNotTrap() {
        let url: BaseURL = "not a url"
        #expect(url.problem != nil)
    }

    @Test func noInputTraps() {
        _ = try? parse(String(repeating: "a", count: 200_000))
        _ = try? parse("https://" + String(repeating: "[:@/?#]", count: 20_000))
        for text in Samples.hostile {
            for shape in ["\(text)", "https://\(text)", "https://h/\(text)", "https://h:\(text)", "h\(text)://x"] {
                _ = try? parse(shape)
            }
        }
        let random = SeededRandom(seed: 6)
        let alphabet = Array("https:/[]@?#%:.80a \u{301}é\\")
        for _ in 0..<3000 {
            let text = (0..<Int(random.next() % 16)).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
            guard let url = try? parse("http://" + String(text)) else { continue }
            #expect(!url.authority.contains("@"))
            #expect(!url.authority.isEmpty)
            #expect((url.authority + url.path).utf8.allSatisfy { $0 > 32 && $0 < 127 })
        }
    }
}
