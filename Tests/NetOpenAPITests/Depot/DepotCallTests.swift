#if Server
import Foundation
import HTTPTypes
import NetHTTP
import NetOpenAPIRuntime
import NetTestServer
import NetTesting
import Testing

/// The requests of the client of `parcel-depot.yaml`, and its decoding of responses.
@Suite(.timeLimit(.minutes(5))) struct DepotCallTests {
    private static let parcel = #"{"id":7,"town":"Kiel","weight":"12.5","fees":["0.1","2"],"value":null}"#

    @Test func aNumberInATextIsADecimalBothWays() async throws {
        let stub = Stub(.post, "/parcels") { .json(text: String(decoding: $0.body, as: UTF8.self), status: .created) }
        try await DepotSite.run([stub]) { site async throws in
            let weight = try #require(Decimal(string: "12.5"))
            let parcel = Parcel(id: 7, town: "Kiel", weight: weight, fees: [1, 2], value: .null)
            let answer = try await site.api.parcels.postParcel(.init(payload: parcel))
            #expect(answer == parcel)
            #expect(answer.weight + 1 == 13.5)
            let sent = try #require(site.server.requests.first)
            let json = try JSONCoding.standard.decode(JSONValue.self, from: sent.body)
            #expect(json["weight"] == "12.5")
            #expect(json["fees"] == ["1", "2"])
            #expect(json["value"]?.isNull == true)
        }
        #expect(throws: DecodingError.self) {
            try JSONCoding.standard.decode(Parcel.self, from: Bytes(#"{"id":1,"town":"","weight":"heavy"}"#.utf8))
        }
        let long = String(repeating: "1", count: 39)
        #expect(throws: DecodingError.self) {
            try JSONCoding.standard.decode(Parcel.self, from: Bytes(#"{"id":1,"town":"","weight":"\#(long)"}"#.utf8))
        }
    }

    @Test func aParameterCanBeSentWithoutAValue() async throws {
        let stub = Stub(.get, "/parcels", .json(text: #"{"items":[]}"#))
        try await DepotSite.run([stub]) { site async throws in
            try await site.api.parcels.listParcels(.init(limit: nil, urgent: .null))
            try await site.api.parcels.listParcels(.init(limit: nil, urgent: true))
            try await site.api.parcels.listParcels(.init(limit: nil))
            #expect(
                site.server.requests.map(\.target) == ["/parcels?urgent=", "/parcels?urgent=true", "/parcels"])
        }
    }

    @Test func eachMediaTypeOfAStatusIsDecoded() async throws {
        let events = "data: \(Self.parcel)\n\ndata: \(Self.parcel)\n\n"
        let stubs = [
            Stub(.get, "/parcels/1", .json(text: Self.parcel)), Stub(.get, "/parcels/2", .text("a parcel")),
            Stub(.get, "/parcels/3", .bytes(Bytes(events.utf8), contentType: "text/event-stream")),
            Stub(.get, "/parcels/4", .bytes(Bytes(Self.parcel.utf8), contentType: "application/vnd.depot+json")),
        ]
        try await DepotSite.run(stubs) { site async throws in
            let read = site.api.parcels.readParcel
            guard case .ok(let parcel) = try await read(.init(id: 1)) else { throw Unexpected() }
            #expect(parcel.town == "Kiel")
            guard case .okPlain(let text) = try await read(.init(id: 2)) else { throw Unexpected() }
            #expect(text == "a parcel")
            guard case .okEventStream(let stream) = try await read(.init(id: 3)) else { throw Unexpected() }
            var count = 0
            for try await parcel in stream where parcel.id == 7 { count += 1 }
            #expect(count == 2)
            guard case .ok = try await read(.init(id: 4)) else { throw Unexpected() }
            #expect(
                site.server.requests.first?.headers[.accept] == "application/json, text/event-stream, text/plain")
        }
    }

    @Test func aStreamAmongSeveralMediaTypesIsReadWhileItArrives() async throws {
        // The second event is sent after the first one was read: a collected body would never end.
        let (chunks, server) = AsyncStream.makeStream(of: Bytes.self)
        let event = Bytes("data: \(Self.parcel)\n\n".utf8)
        server.yield(event)
        let stub = Stub(
            .get, "/parcels/3",
            StubResponse(headers: [.contentType: "text/event-stream"], body: .stream { chunks }))
        try await DepotSite.run([stub]) { site async throws in
            guard case .okEventStream(let stream) = try await site.api.parcels.readParcel(.init(id: 3)) else {
                throw Unexpected()
            }
            var count = 0
            for try await _ in stream {
                count += 1
                if count == 1 { server.yield(event) } else { server.finish() }
            }
            #expect(count == 2)
        }
    }

    @Test func partsHaveTheHeadersOfTheDocument() async throws {
        try await DepotSite.run([Stub(.post, "/parcels/7/photos", .text("ok"))]) { site async throws in
            try await site.api.parcels.addPhoto(
                .init(
                    id: 7, photo: FormFile(Data([1]), filename: "a.png"), photoXChecksum: "c0ffee",
                    photoXSizes: [1, 2],
                    caption: "A"))
            let body = String(decoding: try #require(site.server.requests.first).body, as: UTF8.self)
            #expect(body.contains("X-Checksum: c0ffee\r\n"))
            #expect(body.contains("X-Sizes: 1,2\r\n"))
            let error = await #expect(throws: APIError<Never>.self) {
                try await site.api.parcels.addPhoto(
                    .init(id: 7, photo: FormFile(Data([1])), photoXChecksum: "a\r\nX-Evil: 1"))
            }
            #expect(error?.netError?.code == .encoding)
            #expect(site.server.requests.count == 1)
        }
    }

    @Test func linksAreRequestsMadeOfTheResponse() async throws {
        let stubs = [
            Stub(
                .post, "/parcels",
                StubResponse(
                    status: .created, headers: [.contentType: "application/json", "X-Desk": "3"],
                    body: .text(Self.parcel))),
            Stub(.get, "/parcels/7", .json(text: Self.parcel)), Stub(.get, "/desks/3", .text("desk")),
        ]
        try await DepotSite.run(stubs) { site async throws in
            let request = PostParcelRequest(payload: Parcel(id: 1, town: "Kiel/Süd", weight: 1))
            let links = try await site.api.parcels.postParcel.response(request).links(of: request)
            guard case .ok(let parcel) = try await site.api.parcels.readParcel(links.parcel()) else {
                throw Unexpected()
            }
            #expect(parcel.id == 7)
            #expect(try await site.api.readDesk(links.desk()) == "desk")
            #expect(
                site.server.requests.map(\.target).suffix(2) == [
                    "/parcels/7", "/desks/3?note=parcel%207%20of%20Kiel%2FS%C3%BCd&open=true",
                ])
        }
    }

    @Test func aLinkWithoutAValueIsAnError() async throws {
        let stub = Stub(.post, "/parcels", .json(text: Self.parcel, status: .created))
        try await DepotSite.run([stub]) { site async throws in
            let request = PostParcelRequest(payload: Parcel(id: 1, town: "Kiel", weight: 1))
            let links = try await site.api.parcels.postParcel.response(request).links(of: request)
            let error = #expect(throws: NetError.self) { try links.desk() }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("X-Desk") == true)
        }
    }

    @Test func alternativesOfSecurityAreKept() throws {
        let request = PostParcelRequest(payload: Parcel(id: 1, town: "", weight: 1))
        #expect(
            request.options.metadata.security
                == SecurityRequirements(alternatives: [
                    [.init("key"), .init("app")], [.init("oauth", scopes: ["parcels:read"])],
                ]))
        #expect(request.options.metadata.tags == ["parcels"])
        #expect(ReadParcelRequest(id: 1).options.metadata.security == SecurityRequirements.none)
    }

    @Test func schemesAreValues() throws {
        #expect(ParcelDepotSecurity.key == SecurityScheme("key", .apiKey(name: "X-Depot-Key", in: .header)))
        #expect(ParcelDepotSecurity.app == SecurityScheme("app", .apiKey(name: "app", in: .query)))
        #expect(ParcelDepotSecurity.crumb == SecurityScheme("crumb", .apiKey(name: "crumb", in: .cookie)))
        guard case .oauth2(let flows) = ParcelDepotSecurity.oauth.kind else { throw Unexpected() }
        try #require(flows.map(\.grant) == [.clientCredentials, .authorizationCode])
        #expect(flows[0].tokenURL == "https://login.depot.example/token")
        #expect(flows[0].scopes == ["parcels:read": "Reads parcels", "parcels:write": "Sends parcels"])
        #expect(flows[1].authorizationURL == "https://login.depot.example/authorize")
        #expect(flows[1].refreshURL == "https://login.depot.example/refresh")
    }

    private struct Unexpected: Error {}
}
#endif
