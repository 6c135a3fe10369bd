import HTTPTypes
import NetCore
import Testing

@testable import NetTesting

struct ScenarioTests {
    private func answer(_ table: StubTable, _ method: HTTPRequest.Method, _ target: String) -> Int? {
        let match = try? table.match(StubRequest(method: method, target: target))
        guard case .fixed(let response) = match?.stub.answer else { return nil }
        return response.status.code
    }

    @Test func aScenarioMovesFromStateToState() {
        let table = StubTable([
            Stub(.get, "/cart", .status(.notFound)).scenario("cart", requires: Stub.Scenario.start),
            Stub(.post, "/cart", .status(.created)).scenario("cart", movesTo: "filled"),
            Stub(.get, "/cart", .status(.ok)).scenario("cart", requires: "filled"),
            Stub(.get, "/other", .status(.accepted)).scenario("other", requires: "filled"),
        ])
        #expect(answer(table, .get, "/cart") == 404)
        #expect(answer(table, .get, "/cart") == 404)
        #expect(answer(table, .post, "/cart") == 201)
        #expect(answer(table, .get, "/cart") == 200)
        #expect(answer(table, .get, "/other") == nil)
        table.setState("filled", of: "other")
        #expect(answer(table, .get, "/other") == 202)
        #expect(table.state(of: "cart") == "filled")
    }

    @Test func aStubMayAnswerInSeveralStates() {
        let table = StubTable([
            Stub(.get, "/cart", .status(.ok)).scenario("cart", requires: ["filled", "paid"]),
            Stub(.put, "/cart", .status(.ok)).scenario("cart", requires: [], movesTo: "never"),
        ])
        let states = ["start", "filled", "paid", "gone"]
        let answers = states.map { state in
            table.setState(state, of: "cart")
            return answer(table, .get, "/cart")
        }
        #expect(answers == [nil, 200, 200, nil])
        let miss = #expect(throws: StubMiss.self) { try table.match(StubRequest(method: .get, target: "/cart")) }
        #expect(miss?.nearest.first?.mismatches == ["scenario cart is in state gone, not filled or paid"])
        #expect(answer(table, .put, "/cart") == nil)
    }

    @Test func stubsInOrderAnswerOneAfterTheOther() {
        let steps = Stub.inOrder(
            "checkout",
            [
                Stub(.post, "/orders", .status(.created)), Stub(.get, "/orders/1", .status(.accepted)).times(2),
                Stub(.get, "/orders/1", .status(.ok)),
            ])
        let table = StubTable(steps + [Stub(.get, "/health", .status(.noContent))])
        #expect(answer(table, .get, "/orders/1") == nil)
        #expect(answer(table, .get, "/health") == 204)
        #expect(answer(table, .post, "/orders") == 201)
        #expect(answer(table, .post, "/orders") == nil)
        #expect((0..<4).map { _ in answer(table, .get, "/orders/1") } == [202, 202, 200, nil])
        #expect(table.unused.isEmpty)
    }

    @Test func aStepThatMustNeverAnswerHoldsNobodyUp() {
        let steps = [Stub(.get, "/a", .status(.ok)), Stub(.get, "/b", .status(.ok)).times(0)]
        let table = StubTable(Stub.inOrder("s", steps + [Stub(.get, "/c", .status(.accepted))]))
        #expect(
            [answer(table, .get, "/a"), answer(table, .get, "/b"), answer(table, .get, "/c")] == [200, nil, 202])
    }

    @Test func ofStubsAlikeTheOneThatLacksLeastIsNamedFirst() {
        let table = StubTable([
            Stub(.post, "/a", .status(.ok)).body(.json(subset: ["x": 1, "y": 2])),
            Stub(.post, "/a", .status(.ok)).body(.json(subset: ["x": 1, "y": 3])),
        ])
        let request = StubRequest(method: .post, target: "/a", body: Bytes(#"{"x":1,"y":4}"#.utf8))
        let miss = #expect(throws: StubMiss.self) { try table.match(request) }
        #expect(miss?.nearest.map(\.mismatches) == [["$.y in the body is 4, not 2"], ["$.y in the body is 4, not 3"]])
        let nearer = StubRequest(method: .post, target: "/a", body: Bytes(#"{"x":0,"y":3}"#.utf8))
        let second = #expect(throws: StubMiss.self) { try table.match(nearer) }
        #expect(second?.nearest.first?.mismatches == ["$.x in the body is 0, not 1"])
    }

    @Test func aMissThatTheHeadDecidesSaysNothingOfTheBody() {
        let table = StubTable([Stub(.post, "/a", .status(.ok)).body(.json(subset: ["x": 1]))])
        guard case .miss(let miss) = table.plan(StubRequest(method: .put, target: "/a")) else {
            Issue.record("the head decides")
            return
        }
        #expect(miss.nearest.first?.mismatches == ["the method is PUT, not POST"])
    }

    @Test func aMissNamesTheStateOfTheScenario() {
        let table = StubTable([Stub(.get, "/cart", .status(.ok)).scenario("cart", requires: "filled")])
        let miss = #expect(throws: StubMiss.self) { try table.match(StubRequest(method: .get, target: "/cart")) }
        #expect(miss?.nearest.first?.mismatches == ["scenario cart is in state start, not filled"])
    }

    @Test func aMissHidesSecretsAndGivesTheLineToPaste() throws {
        let stub = Stub(.get, "/a", .status(.ok)).header(.authorization, "Bearer hunter1").query("token", "hunter2")
        let line = #line - 1
        let table = StubTable([stub])
        let request = StubRequest(
            method: .get, target: "/a?token=hunter3&q=x%22y", headers: [.authorization: "Bearer hunter4"])
        let miss = try #require(#expect(throws: StubMiss.self) { try table.match(request) })
        #expect(!miss.description.contains("hunter"))
        #expect(miss.request == "GET /a?token=<redacted>&q=x%22y")
        #expect(miss.paste == #"Stub(.get, "/a", .status(.ok)).query("token", .present).query("q", "x\"y")"#)
        #expect(
            miss.nearest.first?.mismatches == [
                "query item token is <redacted>, it should be <redacted>",
                "field Authorization is <redacted>, it should be <redacted>",
            ])
        #expect(miss.nearest.first?.source.description == "NetTestingTests/ScenarioTests.swift:\(line)")
        let pasted = StubTable([Stub(.get, "/a", .status(.ok)).query("token", .present).query("q", "x\"y")])
        #expect(answer(pasted, .get, request.target) == 200)
    }

    @Test func aTemplateIsFilledFromTheRequest() throws {
        let template = StubTemplate(
            #"{"id":"{{path.id}}","q":"{{ query.q }}","n":{{body.$.n}},"o":{{body.$.o}},"name":"{{body.$.names[0]}}"}"#,
            escapesJSON: true)
        let request = StubRequest(
            method: .post, target: "/?q=a%22b", body: Bytes(#"{"n":7,"o":{"x":["\""]},"names":["{{path.id}}"]}"#.utf8),
            parameters: ["id": "x/y\n"])
        let filled = try template.fill(from: request)
        let value = try JSONCoding.standard.decode(JSONValue.self, from: Bytes(filled.utf8))
        #expect(value == ["id": "x/y\n", "q": "a\"b", "n": 7, "o": ["x": ["\""]], "name": "{{path.id}}"])
        let text = StubTemplate("<{{body}}> {{ }", escapesJSON: false)
        #expect(try text.fill(from: StubRequest(method: .get, target: "/", body: Bytes("a\"".utf8))) == "<a\"> {{ }")
    }

    @Test(arguments: ["{{}}", "{{path.id}}", "{{query.q}}", "{{body.$.a}}", "{{body.a}}", "{{header.x}}", "{{path}}"])
    func aTemplateThatCannotBeFilledSaysWhy(_ text: String) throws {
        let error = #expect(throws: StubTemplateError.self) {
            try StubTemplate(text, escapesJSON: false).fill(from: StubRequest(method: .get, target: "/"))
        }
        #expect(error?.description.isEmpty == false)
    }
}
