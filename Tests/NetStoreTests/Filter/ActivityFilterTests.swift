import Foundation
import NetCore
import Testing

@testable import NetStore

/// The parsing of expressions.
@Suite struct ActivityFilterTests {
    private typealias Filter = ActivityFilter

    private static let table: [(text: String, filter: ActivityFilter)] = [
        ("", .all), ("  \n", .all), ("~all", .all), ("!~all", !.all), ("~all & ~e", .failed), ("~all | ~e", .all),
        ("users", .text("users")), ("~u users", .url("users")), ("~d api.example.com", .host("api.example.com")),
        ("~m GET", .method("GET")), ("~h accept", .header("accept")), ("~hq accept", .requestHeader("accept")),
        ("~hs accept", .responseHeader("accept")), ("~b x", .body("x")), ("~bq x", .requestBody("x")),
        ("~bs x", .responseBody("x")), ("~t json", .contentType("json")), ("~op get*", .operation("get*")),
        ("~tag x", .tag("x")), ("~comment x", .comment("x")), ("~error timeout", .error("timeout")),
        ("~cache hit", .cache("hit")), ("~e", .failed), ("~q", .withoutStatus), ("~s", .withStatus),
        ("~marked", .marked),
        ("~websocket", .webSocket), ("~retried", .retried), ("~reused", .reused), ("~job", .job), ("~log", .log),
        ("~c 503", .status(503)), ("~c 5xx", .status(500...599)), ("~c 50X", .status(500...509)),
        ("~c 400-499", .status(400...499)), ("~c 1006", .status(1006)),
        ("~slower 500ms", .slower(than: .milliseconds(500))), ("~slower 1.5m", .slower(than: .seconds(90))),
        ("~faster 1h", .faster(than: .seconds(3600))), ("~faster 0.25ms", .faster(than: .microseconds(250))),
        ("~slower 2d", .slower(than: .seconds(172_800))), ("~larger 1KB", .larger(than: 1000)),
        ("~larger 1KiB", .larger(than: 1024)), ("~larger 1.5mb", .larger(than: 1_500_000)),
        ("~larger 2GiB", .larger(than: 2 << 30)), ("~larger 12", .larger(than: 12)), ("~run 7", .run(7)),
        ("~since 15m", .since(ago: .seconds(900))), ("~until 2h", .until(ago: .seconds(7200))),
        ("~since 1970-01-02", .since(Date(timeIntervalSince1970: 86_400))),
        ("~until 1970-01-01T01:00:00.5+01:00", .until(Date(timeIntervalSince1970: 0.5))),
        // "!" before "&" before "|" before juxtaposition.
        ("a b", .text("a") & .text("b")), ("a & b", .text("a") & .text("b")), ("a | b", .text("a") | .text("b")),
        ("a & b | c", (.text("a") & .text("b")) | .text("c")), ("a | b & c", .text("a") | (.text("b") & .text("c"))),
        ("a | b c", (.text("a") | .text("b")) & .text("c")), ("a (b | c)", .text("a") & (.text("b") | .text("c"))),
        ("!a b", !.text("a") & .text("b")), ("!(a b)", !(.text("a") & .text("b"))), ("!!a", .text("a")),
        ("! ! !a", !.text("a")), ("(((a)))", .text("a")), ("a(b)", .text("a") & .text("b")),
        ("(~e)&(~q)", .failed & .withoutStatus),
        ("~c 500|~c 502", .status(500) | .status(502)), ("~e&!~q", .failed & !.withoutStatus),
        // Words and quotation marks.
        ("a&b=1", .text("a&b=1")), ("a& b", .text("a") & .text("b")), ("a!b", .text("a!b")),
        ("\"a b\"", .text("a b")), ("'a \"b\"'", .text("a \"b\"")), (#""a \"b\"""#, .text("a \"b\"")),
        (#"a\ b"#, .text("a b")), (#"a\.b"#, .text("a.b")), (#"~u \*"#, .url(ActivityFilter.literal("*"))),
        (#""\?""#, .text(ActivityFilter.literal("?"))), ("~op \"\"", .operation("")), ("a**b", .text("a*b")),
        ("größe", .text("größe")), ("~b\t'{\"id\": 1}'", .body("{\"id\": 1}")),
    ]

    @Test func expressionsAreReadAsTerms() throws {
        for (text, filter) in Self.table {
            #expect(try ActivityFilter(text) == filter, "\(text)")
            #expect(try ActivityFilter(filter.description) == filter, "\(text): \(filter)")
        }
    }

    @Test func theDocumentationHasEachTerm() throws {
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { path, _ in path.deletingLastPathComponent() }
        let text = try String(contentsOf: root.appendingPathComponent("docs/filter.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { $0.split(separator: "|")[0] }
        let words = Set(rows.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "~" } })
        for (name, _) in FilterTermName.names { #expect(words.contains("~\(name)"), "~\(name)") }
    }

    @Test func valuesThatDifferAreNotEqual() throws {
        for (left, right) in [
            ("a", "b"), ("a*", #"a\*"#), ("~u a", "a"), ("a | b", "a & b"), ("~e", "!~e"), ("e\u{301}", "é"),
            ("~slower 1s", "~faster 1s"), ("~since 1h", "~until 1h"),
        ] {
            #expect(try ActivityFilter(left) != ActivityFilter(right), "\(left), \(right)")
        }
    }

    @Test func everyPrefixIsReadOrSaysWhatIsMissing() throws {
        for (text, _) in Self.table {
            for end in text.indices {
                let prefix = String(text[..<end])
                do throws(ActivityFilterError) { _ = try ActivityFilter(prefix) } catch {
                    #expect((1...prefix.count + 1).contains(error.column), "\(prefix)")
                }
            }
        }
    }

    @Test(arguments: [
        ("~d api & ~c 5x", 13, "\"5x\"", "a status"), ("~c abc", 4, "\"abc\"", "a status (503)"),
        ("~c 99", 4, "\"99\"", "a status"),
        ("~c 499-400", 4, "\"499-400\"", "a range"),
        ("~c 05x", 4, "\"05x\"", "a class"), ("~c", 3, "the end", "a status"), ("~c503", 1, "\"~c503\"", "~c ~cache"),
        ("a ~nope", 3, "\"~nope\"", "a term: "), ("~", 1, "\"~\"", "a term: "),
        ("~sl", 1, "\"~sl\"", "~s ~since ~slower"),
        ("~slower 5", 9, "\"5\"", "500ms"), ("~slower 5M", 9, "\"5M\"", "500ms"),
        ("~slower 1..5s", 9, "\"1..5s\"", "500ms"),
        ("~slower 99999999999d", 9, "\"99999999999d\"", "a duration"), ("~larger 1XB", 9, "\"1XB\"", "powers of 1000"),
        ("~larger 99999999999GB", 9, "\"99999999999GB\"", "a size"), ("~larger .5MB", 9, "\".5MB\"", "a size"),
        ("~since yesterday", 8, "\"yesterday\"", "2026-11-24T08:00:00Z"),
        ("~since 2026-02-30", 8, "\"2026-02-30\"", "a date"),
        ("~until 2026-11-24T08:00", 8, "\"2026-11-24T08:00\"", "a date and time"),
        ("~run x", 6, "\"x\"", "the number of a run"),
        ("~d ~m GET", 4, "\"~m\"", "a host"), ("~d !a", 4, "\"!\"", "a host"),
        ("~d(a)", 3, "\"(\"", "a space and a host"),
        ("a |", 4, "the end", "a term"), ("| a", 1, "\"|\"", "a term"), ("a && b", 4, "\"&\"", "a term"),
        ("a || b", 4, "\"|\"", "a term"),
        ("~m GET|POST", 7, "\"|\"", "spaces around it"), ("a (b", 5, "the end", "\")\" for \"(\" in column 3"),
        ("a) b", 2, "\")\"", "before it"), ("()", 2, "\")\"", "a term after"), ("!", 2, "the end", "a term"),
        ("\"abc", 1, "\"\"abc\"", "a closing \""), ("'a b", 1, "\"'a\"", "a closing '"),
        ("'a'b", 4, "\"b\"", "a space after the closing"),
        ("~b {\"id\":1}", 5, "\"\"id\":1}\"", "quotes around the word"),
        ("/~home", 2, "\"~home\"", "quotes around the word"),
        ("a\\", 2, "\"\\\"", "a character after it"), ("~e~q", 3, "\"~q\"", "a space after ~e"),
        ("😀 é ~c x", 8, "\"x\"", "a status"),
    ])
    func anErrorSaysWhereAndWhatIsExpected(_ text: String, column: Int, found: String, expected: String) {
        let error = #expect(throws: ActivityFilterError.self, "\(text)") { try ActivityFilter(text) }
        #expect(error?.column == column, "\(text)")
        #expect(error?.found == found, "\(text)")
        #expect(error?.expected.contains(expected) == true, "\(text): \(error?.expected ?? "")")
        #expect(error?.expression == text)
    }

    @Test func anErrorPrintsTheExpressionWithACaret() throws {
        let short = #expect(throws: ActivityFilterError.self) { try ActivityFilter("~e &\n~c x") }
        #expect(
            short?.description == """
                column 9 of the filter: found "x", expected a status (503), a class of them (5xx) or a range (400-499)
                  ~e & ~c x
                          ^
                """)
        let long = #expect(throws: ActivityFilterError.self) {
            try ActivityFilter(String(repeating: "a", count: 300) + " ~c x " + String(repeating: "b", count: 300))
        }
        let lines = (long?.description ?? "").split(separator: "\n")
        let caret = lines.last?.count ?? 0
        try #require(lines.count == 3)
        #expect(lines[1].count < 90)
        #expect(lines[1].prefix(caret).last == "x")
    }

    @Test func depthAndLengthAreLimited() {
        for (text, column) in [
            (String(repeating: "(", count: 4000), 21), (String(repeating: "(", count: 100_000), 4097),
            (String(repeating: "!", count: 100_000), 4097), (String(repeating: "!(", count: 2000), 42),
            (String(repeating: "\u{301}", count: 5000), 1), (String(repeating: "😀", count: 5000), 4097),
        ] {
            let error = #expect(throws: ActivityFilterError.self) { try ActivityFilter(text) }
            #expect(error?.column == column)
            #expect((error?.description.count ?? 0) < 300)
        }
        #expect(throws: Never.self) { try ActivityFilter(String(repeating: "!", count: 4095) + "a") }
    }

    @Test func brokenExpressionsNeverTrap() throws {
        var samples = FilterSamples(seed: 3)
        var numbers = SeededNumbers(4)
        let pieces =
            Array("()!&|~~\"'\\*? \n\t0aex-:.é😀\u{301}\u{0}\u{200d}").map(String.init)
            + ["~c ", "~since ", "~d", "99999999999999999999", "\r\n", "🇩🇪"]
        var failed = 0
        for _ in 0..<10_000 {
            var text = Array(samples.expression(depth: 2))
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                let place = Int.random(in: 0...text.count, using: &numbers)
                if numbers.once(in: 2) || place == text.count {
                    text.insert(contentsOf: numbers.one(of: pieces), at: place)
                } else if numbers.once(in: 2) {
                    text.remove(at: place)
                } else {
                    text.removeSubrange(place..<min(text.count, place + 5))
                }
            }
            let broken = String(text)
            do throws(ActivityFilterError) {
                let filter = try ActivityFilter(broken)
                let again = try? ActivityFilter(filter.description)
                #expect(again == filter, "\(broken)")
            } catch {
                failed += 1
                #expect((1...broken.count + 1).contains(error.column), "\(broken)")
                #expect(!error.description.isEmpty)
                #expect(!error.expected.isEmpty)
                #expect(!error.found.isEmpty)
            }
        }
        #expect(failed > 2000)
    }

    @Test func valuesOfProgramsAreClampedToWhatTextCanSay() throws {
        let filters: [ActivityFilter] = [
            .status(-5...50), .status(0...700), .status(9000...99_999), .slower(than: .seconds(-1)),
            .faster(than: .seconds(Int64.max)), .larger(than: -1), .larger(than: .max), .run(-1), .run(.max),
            .since(.distantPast), .until(.distantFuture), .since(Date(timeIntervalSince1970: 1_795_000_000.123_456)),
            .until(Date(timeIntervalSince1970: -0.000_001)), .since(ago: .microseconds(1)),
            .slower(than: .microseconds(1_500_001)),
            .text("a\"b\\\\c d"), .text("\u{301}"), .header("\n"), .text("~"), .text("!a"), .text(""),
        ]
        for filter in filters { #expect(try ActivityFilter(filter.description) == filter, "\(filter)") }
        #expect(ActivityFilter.status(-5...50) == !.all)
        #expect(ActivityFilter.since(ago: .seconds(90)).description == "~since 90s")
        #expect(ActivityFilter.literal("a*b?c\\") == #"a\*b\?c\\"#)
    }
}
