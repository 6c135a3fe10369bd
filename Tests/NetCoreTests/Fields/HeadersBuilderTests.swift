import HTTPTypes
import NetCore
import Testing

private struct Search: APIRequest {
    typealias Response = Void
    var tags: [String] = []
    var language: String?
    var path: Path { "search" }
    var headers: HTTPFields {
        HTTPField(name: .accept, value: "a/b")
        for tag in tags { HTTPField(name: .ifNoneMatch, value: tag) }
        if let language { HTTPField(name: .acceptLanguage, value: language) } else { [.te: "x"] as HTTPFields }
        nil as HTTPField?
    }
}

private struct Plain: APIRequest {
    typealias Response = Void
    var path: Path { "" }
    var headers: HTTPFields { [.accept: "x", .te: "y"] }
}

private struct Assembled: APIRequest {
    typealias Response = Void
    var path: Path { "" }
    var headers: HTTPFields {
        var fields = HTTPFields()
        fields[.te] = "z"
        return fields
    }
}

@Suite struct HeadersBuilderTests {
    @Test func fieldsAreAppendedAndRepetitionsKept() {
        let made = Search(tags: ["1", "2"], language: "en").headers
        #expect(made[values: .ifNoneMatch] == ["1", "2"])
        #expect(made[.acceptLanguage] == "en")
        #expect(made[.te] == nil)
        #expect(made[.accept] == "a/b")
        #expect(Search().headers[.te] == "x")
        #expect(Search().headers.count == 2)
    }

    @Test func aLiteralAndAFunctionBodyStillDo() {
        #expect(Plain().headers == [.accept: "x", .te: "y"])
        #expect(Assembled().headers == [.te: "z"])
    }
}
