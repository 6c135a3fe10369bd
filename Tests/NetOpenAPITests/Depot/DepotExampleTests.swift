#if Server
import NetOpenAPIRuntime
import Testing

/// The examples of `parcel-depot.yaml`, decoded and encoded as their generated types.
@Suite struct DepotExampleTests {
    @Test(arguments: ParcelDepotExamples.all) func isKept(example: DocumentExample) throws { try example.check() }

    @Test func standWithOperationStatusAndName() {
        #expect(ParcelDepotExamples.all.map(\.name) == ["POST /parcels request", "POST /parcels 409 taken"])
        #expect(ParcelDepotExamples.all.map(\.description) == ParcelDepotExamples.all.map(\.name))
    }

    @Test(arguments: [
        (#"{"id":4,"weight":"2"}"#, "doesn't fit its schema"),
        (#"{"id":4,"town":"Bern","weight":"2","fees":["1","x"]}"#, "doesn't fit its schema"),
        (#"{"id":4,"#, "doesn't fit its schema"),
    ]) func mismatchedExamplesAreReported(json: String, reason: String) throws {
        let example = DocumentExample("GET /parcels 200", json, as: Parcel.self)
        let error = #expect(throws: DocumentExample.Mismatch.self) { try example.check() }
        #expect(error?.description.hasPrefix("GET /parcels 200: ") == true)
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    /// A type that loses, adds or changes a value.
    private struct Careless: Codable {
        var rows: [Row]

        struct Row: Codable {
            var kept: Int
            enum CodingKeys: String, CodingKey { case kept, round, extra }
            init(from decoder: any Decoder) throws {
                kept = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .kept)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(kept, forKey: .kept)
                if kept == 2 { try container.encode(7, forKey: .extra) }
                if kept == 3 { try container.encode("3", forKey: .round) }
            }
        }
    }

    @Test(
        arguments: [
            (#"{"rows":[{"kept":1,"lost/a":5}]}"#, "/rows/0/lost~1a is 5, and the type writes null"),
            (#"{"rows":[{"kept":1},{"kept":2}]}"#, "/rows/1/extra is null, and the type writes 7"),
            (#"{"rows":[{"kept":3,"round":4}]}"#, #"/rows/0/round is 4, and the type writes "3""#),
            (#"{"rows":[]}"#, nil), (#"{"rows":[{"kept":1,"gone":null}]}"#, nil),
        ] as [(String, String?)]) func theFirstDifferenceIsNamed(json: String, difference: String?) throws
    {
        let example = DocumentExample("rows", json, as: Careless.self)
        guard let difference else { return try example.check() }
        let error = #expect(throws: DocumentExample.Mismatch.self) { try example.check() }
        #expect(error?.description == "rows: \(difference)")
    }

    @Test func timesAreComparedByValue() throws {
        struct Rewritten: Codable {
            var at: String
            init(from decoder: any Decoder) throws { at = "2026-01-02T03:04:05.000Z" }
        }
        try DocumentExample("time", #"{"at":"2026-01-02T03:04:05Z"}"#, as: Rewritten.self).check()
    }
}
#endif
