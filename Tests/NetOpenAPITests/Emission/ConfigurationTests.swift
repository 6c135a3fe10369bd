import NetOpenAPI
import Testing

/// The caller's choices of names and forms.
struct ConfigurationTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: The Pet Shop API, version: '1'}
        paths:
          /pets/{id}:
            get:
              operationId: petGetUsingGET
              parameters:
                - {name: id, in: path, required: true, schema: {$ref: '#/components/schemas/kind'}}
                - {name: lim, in: query, schema: {type: integer}}
              responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/pet_v2'}}}}}
        components:
          schemas:
            kind: {type: string, enum: [cat, dog]}
            pet_v2:
              type: object
              properties:
                nm: {type: string}
                born: {type: string, format: date}
                seen: {type: array, items: {type: string, format: date-time}}
                mood: {type: string, enum: [good, bad], default: good}
                size: {type: integer, enum: [1, 2]}
        """

    private func code(_ change: (inout GeneratorConfiguration) -> Void) throws -> GeneratedCode {
        var configuration = GeneratorConfiguration(chunkCount: 1)
        change(&configuration)
        return try GeneratedCode(Self.document, configuration)
    }

    @Test func theClientIsNamedAfterTheTitle() throws {
        #expect(try code { _ in }.contains("struct ThePetShopClient: Sendable"))
        #expect(try code { $0.clientName = "shop" }.contains("struct ShopClient: Sendable"))
        #expect(try code { $0.filePrefix = "pets" }.contains("struct PetsClient: Sendable"))
    }

    @Test func importsAndTheHeaderAreTheCallers() throws {
        let own = try code {
            $0.imports = ["Shop", "Models"]
            $0.header = "Of the shop.\n\nNot by hand."
        }
        #expect(own.text.hasPrefix("// Of the shop.\n//\n// Not by hand.\n"))
        #expect(own.contains("\npublic import Shop\npublic import Models\n"))
        #expect(try code { $0.header = "" }.text.hasPrefix("\n@_exported"))
    }

    @Test func namesCanBeReplaced() throws {
        let own = try code {
            $0.names = NameOverrides(
                types: ["pet_v2": "Pet", "Pet.Mood": "Temper", "gone": "X"], operations: ["petGetUsingGET": "readPet"],
                properties: ["pet_v2.nm": "name", "petGetUsingGET.lim": "limit"])
        }
        #expect(own.contains("struct Pet: SchemaObject"))
        #expect(own.contains("enum Temper: OpenEnum"))
        #expect(own.contains("var name: String?"))
        #expect(own.contains("(\"nm\", name)"))
        #expect(own.contains("struct ReadPetRequest: APIRequest"))
        #expect(own.contains("var readPet: Call<ReadPetRequest>"))
        #expect(own.contains("QueryItem.parameter(\"lim\", self.limit)"))
        #expect(own.contains(".operation(\"petGetUsingGET\")"))
        #expect(own.warnings == ["the configuration names type 'gone', which isn't in the document"])
    }

    @Test func enumerationsCanBeClosedOrPlainValues() throws {
        let closed = try code { $0.enumerations = .closed }
        #expect(closed.contains("enum Kind: String, CaseIterable, Codable, Hashable, Sendable"))
        #expect(closed.contains("case cat = \"cat\""))
        #expect(closed.contains("enum Size: Int64, CaseIterable"))
        #expect(closed.contains("var path: Path { \"/pets/\\(self.id.rawValue)\" }"))
        #expect(!closed.contains("unknown"))
        let values = try code { $0.enumerations = .values }
        #expect(values.contains("typealias Kind = String"))
        #expect(values.contains("mood: PetV2.Mood? = \"good\"") == false)
        #expect(values.contains("typealias Size = Int64") || values.contains("var size: Int64?"))
    }

    @Test func datesCanStayTexts() throws {
        let dates = try code { _ in }
        #expect(dates.contains("var born: CalendarDate?"))
        #expect(dates.contains("var seen: [Date]?"))
        let texts = try code { $0.dates = .text }
        #expect(texts.contains("var born: String?"))
        #expect(texts.contains("var seen: [String]?"))
    }

    @Test func nameOverridesAreReadFromTexts() {
        #expect(NameOverrides.pairs(["a=b", "GET /x?y=1=c"]) == ["a": "b", "GET /x?y=1": "c"])
        for wrong in ["a", "=a", "a="] { #expect(NameOverrides.pairs([wrong]) == nil) }
    }
}
