#if Server
import Foundation
import HTTPTypes
import NetHTTP
import NetOpenAPIRuntime
import NetTestOpenAPI
import NetTestServer
import NetTesting
import Testing

/// The server generated from `parcel-depot.yaml`, called by the client of the same document.
@Suite(.timeLimit(.minutes(5))) struct DepotServerTests {
    /// A depot that reports its requests.
    private struct Depot: ParcelsHandler, ListsHandler, ParcelDepotServerHandler {
        func listParcels(_ request: ListParcelsRequest) async throws -> ServerReply<ListParcelsRequest> {
            let near = request.near.map { "\($0.town ?? "?") \($0.km ?? 0)" } ?? "anywhere"
            let states = (request.states ?? []).map(\.description).joined(separator: "+")
            let town =
                "\(request.cursor ?? "-") \(request.limit ?? 0) \(states) \(near) \(request.urgent?.isNull ?? false)"
            return .success(.init(items: [Parcel(id: 1, town: town, weight: 1)]))
        }

        func postParcel(_ request: PostParcelRequest) async throws -> ServerReply<PostParcelRequest> {
            if request.payload.id == 0 { return .failure(Problem(detail: "taken")) }
            if request.payload.id < 0 { return .failure(Problem(detail: "negative"), status: 422) }
            return .success(request.payload, headers: ["X-Desk": "3"])
        }

        func readParcel(_ request: ReadParcelRequest) async throws -> ServerReply<ReadParcelRequest> {
            switch request.id {
            case 1: return .success(.okPlain("\(request.xReader ?? "-") \(request.session ?? "-")"))
            case 2:
                let events = AsyncStream<Bytes> { continuation in
                    for id in 1...2 {
                        continuation.yield(Bytes("data: {\"id\":\(id),\"town\":\"\",\"weight\":\"1\"}\n\n".utf8))
                    }
                    continuation.finish()
                }
                return .other(
                    ServerResponse(
                        status: 200, headers: [.contentType: "text/event-stream"], body: ResponseBody(events)))
            case 3: throw ServerFault(status: 410, detail: "it is gone")
            case 4: throw URLError(.badURL)
            default: return .success(.ok(Parcel(id: request.id, town: "Kiel", weight: 1)))
            }
        }

        func returnParcel(_ request: ReturnParcelRequest) async throws -> ServerReply<ReturnParcelRequest> {
            .success(request.id == 1 ? .noContent : .accepted("later"))
        }

        func addPhoto(_ request: AddPhotoRequest) async throws -> ServerReply<AddPhotoRequest> {
            let place = request.place?.town ?? "-"
            return .success(
                "\(request.photo.filename) \(request.photo.contentType) \(request.photoXChecksum) "
                    + "\(request.photoXSizes ?? []) \(request.caption ?? "-") \(place)")
        }

        func changeAddress(_ request: ChangeAddressRequest) async throws -> ServerReply<ChangeAddressRequest> {
            .success("\(request.payload.town): \(request.payload.lines ?? [])")
        }

        func listDrivers(_ request: ListDriversRequest) async throws -> ServerReply<ListDriversRequest> { .success([]) }
        func listRoutes(_ request: ListRoutesRequest) async throws -> ServerReply<ListRoutesRequest> {
            .success(.init())
        }
        func listDepots(_ request: ListDepotsRequest) async throws -> ServerReply<ListDepotsRequest> { .success(["a"]) }
        func listEvents(_ request: ListEventsRequest) async throws -> ServerReply<ListEventsRequest> {
            .success(.init())
        }
        func readDesk(_ request: ReadDeskRequest) async throws -> ServerReply<ReadDeskRequest> { .success("desk") }
    }

    private static let router = ParcelDepotServer.router(parcels: Depot(), lists: Depot(), other: Depot(), basePath: "")

    private func run(_ body: (DepotSite) async throws -> Void) async throws {
        try await DepotSite.run([.router(Self.router)], body)
    }

    @Test func parametersOfAllPlacesArrive() async throws {
        try await run { site async throws in
            let page = try await site.api.parcels.listParcels(
                .init(
                    cursor: "a/b c", urgent: .null, states: [.onTheWay, .lost], near: .init(town: "Kiel & Süd", km: 5)))
            #expect(page.items.first?.town == "a/b c 2 on the way+lost Kiel & Süd 5 true")
            let defaults = try await site.api.parcels.listParcels(.init(limit: nil))
            #expect(defaults.items.first?.town == "- 2  anywhere false")
            guard
                case .okPlain(let text) = try await site.api.parcels.readParcel(
                    .init(id: 1, xReader: "me", session: "s 1"))
            else { throw Unexpected() }
            #expect(text == "me s 1")
        }
    }

    @Test func bodiesOfAllKindsArrive() async throws {
        try await run { site async throws in
            let parcel = Parcel(id: 7, town: "Kiel", weight: 12.5, fees: [1], value: .null)
            let response = try await site.api.parcels.postParcel.response(.init(payload: parcel))
            #expect(response.value == parcel)
            #expect(response.head.status == .created)
            #expect(response.head["X-Desk"] == "3")
            let photo = FormFile(Data([1, 2]), filename: "ü.png")
            let text = try await site.api.parcels.addPhoto(
                .init(
                    id: 7, photo: photo, photoXChecksum: "c0ffee", photoXSizes: [1, 2], caption: "Größe",
                    place: .init(town: "Kiel")))
            #expect(text == "ü.png image/png c0ffee [1, 2] Größe Kiel")
            let address = try await site.api.parcels.changeAddress(
                .init(id: 7, payload: .init(town: "A&B=C", lines: ["1 +", "2"])))
            #expect(address == "A&B=C: [\"1 +\", \"2\"]")
        }
    }

    @Test func responsesHaveTheStatusOfTheDocument() async throws {
        try await run { site async throws in
            #expect(try await site.api.parcels.returnParcel(.init(id: 1)) == .noContent)
            #expect(try await site.api.parcels.returnParcel(.init(id: 2)) == .accepted("later"))
            for (id, status) in [(0, 409), (-1, 422)] {
                let error = await #expect(throws: APIError<Problem>.self) {
                    try await site.api.parcels.postParcel(.init(payload: Parcel(id: id, town: "", weight: 1)))
                }
                #expect(error?.status == status)
            }
        }
    }

    @Test func aStreamIsSentAsItIs() async throws {
        try await run { site async throws in
            guard case .okEventStream(let events) = try await site.api.parcels.readParcel(.init(id: 2)) else {
                throw Unexpected()
            }
            var ids: [Int] = []
            for try await parcel in events { ids.append(parcel.id) }
            #expect(ids == [1, 2])
        }
    }

    private func status(_ method: String, _ target: String, _ body: String = "") async -> (Int, String) {
        let response = await Self.router.respond(
            to: ServerRequest(
                method: method, target: target, headers: [.contentType: "application/json"], body: Bytes(body.utf8)))
        let bytes = (try? await response.body.collect(upTo: 1 << 20)) ?? Bytes()
        return (response.status, String(decoding: bytes, as: UTF8.self))
    }

    @Test func invalidRequestsAndHandlerErrorsGetTheirStatus() async throws {
        #expect(await status("GET", "/nothing").0 == 404)
        #expect(await status("PATCH", "/parcels").0 == 405)
        #expect(await status("GET", "/parcels/seven").0 == 400)
        #expect(await status("GET", "/parcels/seven").1.contains("the path parameter 'id' is not of its type"))
        #expect(await status("GET", "/parcels?limit=x").0 == 400)
        #expect(await status("POST", "/parcels", #"{"id":1}"#).0 == 400)
        #expect(await status("POST", "/parcels/1/photos", "x").0 == 400)
        #expect(await status("GET", "/parcels/3") == (410, #"{"detail":"it is gone","status":410}"#))
        let failed = await status("GET", "/parcels/4")
        #expect(failed.0 == 500)
        #expect(!failed.1.contains("URLError"))
        #expect(await status("GET", "/parcels/9").0 == 200)
    }

    @Test func theBasePathIsThatOfTheDocument() async throws {
        let router = ParcelDepotServer.router(parcels: Depot(), lists: Depot(), other: Depot())
        #expect(await router.respond(to: ServerRequest(method: "GET", target: "/v1/depots")).status == 200)
        #expect(await router.respond(to: ServerRequest(method: "GET", target: "/depots")).status == 404)
    }

    private struct Unexpected: Error {}
}
#endif
