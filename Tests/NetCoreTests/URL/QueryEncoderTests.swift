import Foundation
import NetCore
@_spi(Generated) import NetOpenAPIRuntime
import TestSupport
import Testing

private struct Filter: Encodable, Sendable {
    struct Owner: Encodable, Sendable { let id: Int, name: String?, roles: [String] }
    var zero = 0
    var one = 1
    var yes = true
    var big: Int64 = 9_007_199_254_740_993
    var exact = Decimal(string: "0.1234567890123456789") ?? 0
    var text: String? = "a&b=c+d #[]"
    var nothing: String?
    var tags = ["x", "y,z"]
    var owner = Owner(id: 7, name: nil, roles: ["r"])
    var map = ["b": [1, 2], "a": []]
    var set: Set = ["q", "p", "o"]
    var when = Date(timeIntervalSince1970: 0)
}

@Suite struct QueryEncoderTests {
    private func pairs(_ encoder: QueryEncoder, _ value: some Encodable = Filter()) throws -> [String] {
        [try encoder.encode(value)].flatMap { $0 }.map { item in
            PercentEncoding.decode(QueryItems([item]).encodedQuery)
        }
    }

    private let scalars = [
        "zero=0", "one=1", "yes=true", "big=9007199254740993", "exact=0.1234567890123456789", "text=a&b=c+d #[]",
    ]

    @Test func listsAndObjectsAreWrittenInTheStylesOfServers() throws {
        #expect(
            try pairs(QueryEncoder()) == scalars + [
                "tags[]=x", "tags[]=y,z", "owner[id]=7", "owner[roles][]=r", "map[b][]=1", "map[b][]=2", "set[]=o",
                "set[]=p", "set[]=q", "when=1970-01-01T00:00:00Z",
            ])
        #expect(
            try pairs(QueryEncoder(arrays: .repeated, nesting: .dot)) == scalars + [
                "tags=x", "tags=y,z", "owner.id=7", "owner.roles=r", "map.b=1", "map.b=2", "set=o", "set=p", "set=q",
                "when=1970-01-01T00:00:00Z",
            ])
        #expect(
            try pairs(QueryEncoder(arrays: .indexed)) == scalars + [
                "tags[0]=x", "tags[1]=y,z", "owner[id]=7", "owner[roles][0]=r", "map[b][0]=1", "map[b][1]=2",
                "set[0]=o", "set[1]=p", "set[2]=q", "when=1970-01-01T00:00:00Z",
            ])
    }

    @Test func aDeclaredQueryThatCannotBeEncodedFailsWhenItIsPrepared() throws {
        let builder = RequestBuilder(baseURL: "http://x.test", defaultHeaders: [:], coding: .standard)
        let good = QueryEncoder(arrays: .repeated).items(of: ["tags": ["a", "b"]])
        #expect(try builder.prepare(Request<Bytes>("a", query: good)).head.path == "/a?tags=a&tags=b")
        for bad in [QueryEncoder().items(of: 7), QueryEncoder().items(of: ["tags": [["a"]]])] {
            let error = #expect(throws: NetError.self) { try builder.prepare(Request<Bytes>("a", query: bad)) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("object") == true)
        }
    }

    @Test func aCommaSeparatesAndOneWithinAValueDoesNot() throws {
        let items = try QueryEncoder(arrays: .comma).encode(["tags": ["x", "y,z"]])
        #expect(items.encodedQuery == "tags=x,y%2Cz")
    }

    @Test func pythonReadsEveryByteBack() async throws {
        let items = try QueryEncoder(arrays: .repeated).encode(["a&b": ["ü+ =&", "%41"], "c[]": ["\r\n\0"]])
        let read = try await Tool.python(
            "import json,sys,urllib.parse as u; print(json.dumps(u.parse_qs(json.load(sys.stdin), strict_parsing=True)))",
            items.encodedQuery, as: [String: [String]].self)
        #expect(read == ["a&b": ["ü+ =&", "%41"], "c[]": ["\r\n\0"]])
    }

    @Test func theSameValueGivesTheSameText() throws {
        struct Holder: Encodable { let members: [String: [Int: String]] }
        let keys = (0..<50).map { "k\($0)" }
        let expected = keys.sorted().flatMap { ["members[\($0)][1]", "members[\($0)][10]", "members[\($0)][9]"] }
        for order in [keys, keys.reversed()] {
            // A different capacity results in a different order of the members.
            var members = [String: [Int: String]](minimumCapacity: order == keys ? 50 : 5000)
            for key in order { members[key] = [9: "v", 10: "w", 1: "x"] }
            #expect(try QueryEncoder(arrays: .indexed).encode(Holder(members: members)).map(\.name) == expected)
        }
    }

    @Test func aDictionaryIsAnObjectWhateverItsKeysAre() throws {
        enum Key: String, Codable { case a, b }
        struct Point: Codable, Hashable { let x: Int }
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(try pairs(QueryEncoder(), ["keys": [Key.b: 2, .a: 1]]) == ["keys[a]=1", "keys[b]=2"])
        #expect(try pairs(QueryEncoder(nesting: .dot), [Key.a: [Key.b: ["x"]]]) == ["a.b[]=x"])
        #expect(try pairs(QueryEncoder(), ["ids": [id: 1]]) == ["ids[\(id.uuidString)]=1"])
        #expect(try pairs(QueryEncoder(), ["half": [0.5: true, 2: false]]) == ["half[0.5]=true", "half[2]=false"])
        #expect(try pairs(QueryEncoder(), ["none": [UUID: Int]()]) == [])
        #expect(try pairs(QueryEncoder(), [UUID: Int]()) == [])
        // Keys that aren't text are stored beside their values.
        let points = [Point(x: 2): "b", Point(x: 1): "a"]
        #expect(
            try pairs(QueryEncoder(arrays: .indexed), ["p": points]) == ["p[0][x]=1", "p[1]=a", "p[2][x]=2", "p[3]=b"])
        let form = try RequestBody.form(["keys": [Key.b: 2, .a: 1]]).resolved(with: .standard)
        guard case .bytes(let bytes) = form.content else { throw NetError(.encoding, phase: .preparing, message: "") }
        #expect(String(decoding: bytes, as: UTF8.self) == "keys%5Ba%5D=1&keys%5Bb%5D=2")
    }

    @Test func aValueThatNoTextCanHoldIsRefused() {
        let values: [any Encodable] = [
            ["x": Date(timeIntervalSince1970: 1e15)], ["x": [Date.distantPast - 1e15]], ["x": Double.nan],
            ["x": -Double.infinity], ["x": Float.infinity], ["x": ["y": [Float.nan]]], [Double.nan: 1],
        ]
        for value in values {
            let error = #expect(throws: NetError.self) { try QueryEncoder().encode(value) }
            #expect(error?.code == .encoding)
            #expect(error?.phase == .preparing)
            #expect(error?.underlying is EncodingError)
            #expect(error?.message.contains("at x") == true || value is [Double: Int], "\(error?.message ?? "")")
        }
        #expect(QueryItem.parameter("x", Double.nan).allSatisfy { $0.problem != nil })
    }

    @Test func listsOfObjectsNeedAnIndex() throws {
        let value = ["a": [["x": 1], ["x": 2]]]
        #expect(try pairs(QueryEncoder(arrays: .indexed), value) == ["a[0][x]=1", "a[1][x]=2"])
        for style in [QueryEncoder.ArrayStyle.brackets, .repeated, .comma] {
            let error = #expect(throws: NetError.self) { try QueryEncoder(arrays: style).encode(value) }
            #expect(error?.code == .encoding)
            #expect(error?.message.contains(".indexed") == true)
        }
    }

    @Test func nonObjectValuesAreRejected() {
        struct Broken: Encodable {
            func encode(to encoder: any Encoder) throws { throw CancellationError() }
        }
        for value: any Encodable in [[1, 2], "text", 3, nil as [String: Int]?, Broken()] {
            let error = #expect(throws: NetError.self) { try QueryEncoder().encode(value) }
            #expect(error?.code == .encoding)
            #expect(error?.phase == .preparing)
        }
    }

    /// Each element costs the same, regardless of the number of elements.
    @Test(.timeLimit(.minutes(1))) func longListsAndLargeObjectsTakeNoLongerThanTheyMust() throws {
        let list = try QueryEncoder().encode(["ids": Array(0..<200_000)])
        #expect(list.count == 200_000)
        #expect(list.last?.value == "199999")
        let names = (0..<50_000).map { ("k\($0)", $0) }
        #expect(try QueryEncoder().encode(Dictionary(uniqueKeysWithValues: names)).count == 50_000)
    }
}
