#if Server
@testable import ClientTestSupport
import Foundation
import HTTPTypes
import NetHTTP
import NetTestServer
import NetTesting
import Testing

private struct Person: Codable, Sendable {
    enum Role: String, Codable, Sendable { case owner }
    var name: String
    var born: Date?
    var role: Role?
    var size: Int8?
    var home: URL?
    var photo: Data?
}

/// Errors about the contents of a body contain the position, but never the value.
@Suite(.timeLimit(.minutes(1))) struct DecodingFailureTests {
    private static let secret = "SECRET"

    @Test(
        "No value of the document is in the error",
        arguments: [
            (#"{"name": "Ada", "born": "SECRET"}"#, "$.born"), (#"{"name": "Ada", "role": "SECRET"}"#, "$.role"),
            (#"{"name": "Ada", "photo": "SECRET!"}"#, "$.photo"), (#"{"name": "SECRET", "size": "x"}"#, "$.size"),
            (#"{"name": "Ada", "born": "2026-13-01T00:00:00Z SECRET"}"#, "$.born"),
            (#"{"born": "SECRET"}"#, "document"), (#"{"name": "SECRET"#, "JSON"), (#"["SECRET"]"#, "document"),
        ])
    func aDocument(json: String, place: String) async throws {
        try await Fixture.run([Stub(.get, "/person", .json(text: json))]) { fixture in
            let error = try await failure { try await fixture.client.send(Request<Person>("person")) }
            #expect(error.code == .decoding)
            #expect(error.message.contains(place), "\(error)")
            for text in ["\(error)", String(reflecting: error), error.message] {
                #expect(!text.contains(Self.secret))
            }
        }
    }

    @Test func aBodyThatIsNoJSONIsCalledWhatItIs() async throws {
        let html = "<!DOCTYPE html><title>SECRET</title>"
        let answers: [(StubResponse, String)] = [
            (StubResponse(status: .ok), "the body is empty (status 200)"),
            (StubResponse(status: .noContent), "the body is empty (status 204)"),
            (
                .bytes("coded".utf8, contentType: "application/json").header(.contentEncoding, "compress"),
                "it has the Content-Encoding compress"
            ),
            (
                .bytes(html.utf8, contentType: "text/html; charset=utf-8"),
                "the body is text/html and not valid JSON"
            ),
            (.json(text: "{"), "it is not valid JSON"),
        ]
        for (answer, expected) in answers {
            try await Fixture.run([Stub(.get, "/person", answer)]) { fixture in
                let error = try await failure { try await fixture.client.send(Request<Person>("person")) }
                #expect(error.code == .decoding, "\(error)")
                #expect(error.message.contains(expected), "\(error)")
                #expect(!"\(error)".contains(Self.secret))
            }
        }
        try await Fixture.run([Stub(.get, "/person", StubResponse(status: .badRequest))]) { fixture in
            let request = Request<Void>("person").rejected(as: Person.self)
            let error = try await failure(as: Person.self) { try await fixture.client.send(request) }
            #expect(error.message.contains("the body is empty (status 400)"), "\(error)")
        }
    }

    @Test func numbersThatDoNotFitAreNotPrinted() async throws {
        let json = #"{"name": "Ada", "size": 4711}"#
        try await Fixture.run([Stub(.get, "/person", .json(text: json))]) { fixture in
            let error = try await failure { try await fixture.client.send(Request<Person>("person")) }
            #expect(error.message.contains("number"))
            #expect(!error.message.contains("4711"))
        }
    }

    @Test func errorForAnInvalidDateNamesTheExpectedFormat() async throws {
        let json = #"{"name": "Ada", "born": "SECRET"}"#
        try await Fixture.run([Stub(.get, "/person", .json(text: json))]) { fixture in
            let error = try await failure { try await fixture.client.send(Request<Person>("person")) }
            #expect(error.message.contains("RFC 3339"))
        }
    }

    @Test func aFailureThatDoesNotReadShowsNoValueEither() async throws {
        let answer = StubResponse.json(text: #"{"name": "Ada", "born": "SECRET"}"#, status: .badRequest)
        try await Fixture.run([Stub(.get, "/person", answer)]) { fixture in
            let request = Request<Void>("person").rejected(as: Person.self)
            let error = try await failure(as: Person.self) { try await fixture.client.send(request) }
            #expect(error.message.contains("$.born"))
            #expect(!"\(error)".contains(Self.secret))
        }
    }

    @Test func anEventShowsNoValue() async throws {
        for data in [#"{"name": "Ada", "born": "SECRET"}"#, "SECRET", #"{"name": "SECRET""#] {
            try await Fixture.run([.serverSentEvents("/events", [StubEvent(data)])]) { fixture in
                let events = try await fixture.client.send(
                    Request("events", serializer: .serverSentEvents(of: Person.self)))
                let error = await #expect(throws: NetError.self) { for try await _ in events {} }
                #expect(error?.code == .decoding)
                #expect(error?.message.contains("event 1") == true)
                for text in ["\(try #require(error))", String(reflecting: error)] {
                    #expect(!text.contains(Self.secret))
                }
            }
        }
    }
}
#endif
