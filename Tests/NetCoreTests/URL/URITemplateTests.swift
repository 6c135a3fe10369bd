import NetCore
import NetTesting
import Testing

@Suite struct URITemplateTests {
    private func expand(_ template: String, _ variables: [String: URITemplate.Value?]) throws -> String {
        try URITemplate(template).expand(variables)
    }

    @Test func everyOperatorExpandsAsItsTableSays() throws {
        let values: [String: URITemplate.Value?] = [
            "x": 7, "s": "a b/ü", "e": "", "l": ["r", "g"], "k": ["a": "1", "b": "&"], "n": nil, "none": [],
        ]
        #expect(try expand("{s}|".replacing("|", with: ""), values) == "a%20b%2F%C3%BC")
        #expect(try expand("{+s}{#s}", values) == "a%20b/%C3%BC#a%20b/%C3%BC")
        #expect(try expand("{.x,l*}{/l*,e}{;x,e,l}", values) == ".7.r.g/r/g/;x=7;e;l=r,g")
        #expect(try expand("{?x,e,n,none,k*}{&l*}", values) == "?x=7&e=&a=1&b=%26&l=r&l=g")
        #expect(try expand("{k}{n}{none}", values) == "a,1,b,%26")
    }

    @Test func aLengthCountsCharactersAndCutsNoEscape() throws {
        #expect(try expand("{s:2}", ["s": "üöä"]) == "%C3%BC%C3%B6")
        #expect(try expand("{+s:2}", ["s": "%20b"]) == "%20b")
        #expect(try expand("{s:2}", ["s": "%20b"]) == "%252")
        #expect(try expand("{s:9999}", ["s": "ab"]) == "ab")
    }

    @Test(
        "A template that is malformed says where",
        arguments: [
            ("{a", 0, "unbalancedBrace"), ("ab}", 2, "unbalancedBrace"), ("x{}", 2, "invalidName"),
            ("{=a}", 1, "unknownOperator"), ("{a b}", 2, "invalidName"), ("{a:0}", 2, "invalidModifier"),
            ("{a:12345}", 2, "invalidModifier"), ("{a:2*}", 4, "invalidModifier"), ("{a*b}", 3, "invalidName"),
            ("a b", 1, "invalidLiteral"), ("%4", 0, "invalidLiteral"), ("{%4}", 1, "invalidName"),
            ("{a..b}", 3, "invalidName"), ("{a.}", 3, "invalidName"), ("{", 0, "unbalancedBrace"),
            ("{a-b}", 2, "invalidName"), ("{??a}", 2, "invalidName"), ("{a,", 0, "unbalancedBrace"),
        ])
    func malformed(template: String, position: Int, code: String) {
        let error = #expect(throws: URITemplateError.self) { try URITemplate(template) }
        #expect(error?.position == position, "\(template): \(error?.description ?? "")")
        #expect(error?.code.rawValue == code, "\(template): \(error?.description ?? "")")
    }

    @Test func aListHasNoLength() throws {
        let template = try URITemplate("/x{l:3}")
        let error = #expect(throws: URITemplateError.self) { try template.expand(["l": ["a"]]) }
        #expect(error?.code == .prefixOfList)
        #expect(error?.position == 3)
        #expect(try template.expand(["l": []]) == "/x")
        #expect(template.variableNames == ["l"])
        #expect(template.description == "/x{l:3}")
    }

    @Test func aTemplateIsARequestsPathAndQuery() throws {
        let template = try URITemplate("/users/{id}{?fields*,page}")
        let request = try Request<String>(
            template, ["id": "a/b", "fields": ["x y", "z"]], query: [QueryItem("q", "1")], serializer: .string)
        let builder = RequestBuilder(
            baseURL: "https://h/v1", defaultHeaders: [:], coding: .standard)
        #expect(try builder.prepare(request).url == "https://h/v1/users/a%2Fb?fields=x%20y&fields=z&q=1")
        let dots = try Request<String>(template, ["id": ".."], serializer: .string)
        #expect(throws: NetError.self) { try builder.prepare(dots) }
        let empty = try Request<String>(try URITemplate("{x}"), [:], serializer: .string)
        #expect(try builder.prepare(empty).url == "https://h/v1")
    }

    @Test(
        "The query of an expansion is sent byte for byte",
        arguments: [
            "/a?$filter={f}&a+b=1", "/a?%FF={f}&%C3%BC=1&ü=2", "/a?x=1&&y=2", "/a?&x&", "/a?", "/a?&", "/a?=&==1",
            "/a?(x)[]=:/?@!'*;,&{+f}", "/a?x{&f}", "/a{?f,g}",
        ])
    func bytesOfTheQuery(text: String) throws {
        let template = try URITemplate(text)
        let variables: [String: URITemplate.Value?] = ["f": "a b+$(c)"]
        let builder = RequestBuilder(baseURL: "https://h", defaultHeaders: [:], coding: .standard)
        let request = try Request<String>(template, variables, serializer: .string)
        let expanded = try template.expand(variables)
        #expect(try builder.prepare(request).head.path == expanded)
        #expect(
            try template.target(variables).query.encodedQuery == expanded.split(separator: "?", maxSplits: 1)
                .dropFirst().first ?? "")
    }

    @Test func aQueryOfATemplateIsJoinedToOthers() throws {
        let builder = RequestBuilder(baseURL: "https://h?key=1", defaultHeaders: [:], coding: .standard)
        for (text, expected) in [("/a?$x", "/a?key=1&$x&q=2"), ("/a?", "/a?key=1&q=2")] {
            let request = try Request<String>(
                try URITemplate(text), [:], query: [QueryItem("q", "2")], serializer: .string)
            #expect(try builder.prepare(request).head.path == expected)
        }
        var item = try #require(try URITemplate("a?$x=1").target([:]).query.first)
        #expect(item.name == "$x")
        #expect(item.value == "1")
        item.name = "y"
        #expect(QueryItems([item]).encodedQuery == "y=1")
        #expect(QueryItems([QueryItem.flag(""), QueryItem("a", "1")]).encodedQuery == "a=1")
    }

    @Test("A template that leaves the base URL is refused", arguments: ["https://h/{x}", "//h/{x}", "{+x}", "a{#x}"])
    func absolute(template: String) throws {
        let template = try URITemplate(template)
        let error = #expect(throws: NetError.self) { try template.target(["x": "http://evil/"]) }
        #expect(error?.code == .invalidRequest)
    }

    @Test(
        "A colon in the first segment makes none absolute",
        arguments: ["{id}:cancel", "/{id}:cancel", "jobs:all", "a:/b"])
    func colon(template: String) throws {
        let target = try URITemplate(template).target(["id": 7])
        #expect(["7:cancel", "jobs:all", "a:/b"].contains(target.path.encoded))
    }

    @Test func noTemplateTrapsAndWhatExpandsIsASCII() {
        let random = SeededRandom(seed: 21)
        let alphabet = Array("{}{}ab,.:*%2F+#/;?&=! 9éx")
        for _ in 0..<5000 {
            let text = String(
                (0..<Int(random.next() % 14)).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
            guard let template = try? URITemplate(text) else { continue }
            let expanded = try? template.expand(["a": "é b", "b": ["x", "%"], "x": ["k": "v"]])
            #expect(expanded?.utf8.allSatisfy { $0 > 32 && $0 < 127 } ?? true, "\(text)")
        }
    }
}
