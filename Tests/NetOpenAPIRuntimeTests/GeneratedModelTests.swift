import Foundation
import NetCore
@_spi(Generated) import NetOpenAPIRuntime
import Testing

// Types in the form that the generator writes.

private enum Color: OpenEnum {
    case red
    case unknown(String)
    static let allCases: [Self] = [.red]
    static let knownValues: [String] = ["red"]
    var unknownValue: String? { if case .unknown(let value) = self { value } else { nil } }
}

private struct Change: SchemaObject {
    var name: Nullable<String>?
    @Boxed var parent: Change?
    @Boxed var boxedName: Nullable<Int>?
    private var undeclared = UndeclaredMembers()

    init(name: Nullable<String>? = nil, parent: Change? = nil, boxedName: Nullable<Int>? = nil) {
        self.name = name
        self.parent = parent
        self.boxedName = boxedName
    }

    init(reading members: inout ObjectMembers) throws {
        self.init(
            name: members.nullable("name"), parent: members.optional("parent"),
            boxedName: members.nullable("boxedName"))
        self.undeclared = members.undeclared()
    }

    func visit(_ visitor: inout MemberVisitor) {
        visitor.members(undeclared: undeclared, ("name", name), ("parent", parent), ("boxedName", boxedName))
    }
}

private struct Cat: Codable, Hashable {
    var name: String?
    var lives: Int?
    var fur: String?
}

private struct Dog: Codable, Hashable {
    var name: String?
    var tricks: [String]?
    var kind: String?
}

private enum Pet: Codable, Hashable {
    case cat(Cat)
    case dog(Dog)
    case color(Color)
    case date(Date)
    case string(String)
    case unknown(JSONValue)

    init(from decoder: any Decoder) throws {
        var union = UnionDecoder<Self>(decoder)
        union.consider(Cat.self, keys: ["name", "lives", "fur"]) { .cat($0) }
        union.consider(Dog.self, keys: ["name", "tricks", "kind"], fixed: ["kind": ["dog"]]) { .dog($0) }
        union.consider(Color.self) { .color($0) }
        union.consider(Date.self) { .date($0) }
        union.consider(String.self) { .string($0) }
        self = try union.best() ?? .unknown(JSONValue(from: decoder))
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .cat(let value): try encoder.encode(value, discriminator: "kind", "cat")
        case .dog(let value): try encoder.encode(value)
        case .color(let value): try encoder.encode(value)
        case .date(let value): try encoder.encode(value)
        case .string(let value): try encoder.encode(value)
        case .unknown(let value): try encoder.encode(value)
        }
    }
}

private struct House: SchemaObject {
    var street: String
    var number: Int?
    @Boxed var next: House?
    private var undeclared = UndeclaredMembers()

    init(street: String, number: Int? = nil, next: House? = nil) {
        self.street = street
        self.number = number
        self.next = next
    }

    init(reading members: inout ObjectMembers) throws {
        try self.init(
            street: members.required("street"), number: members.optional("number"), next: members.optional("next"))
        self.undeclared = members.undeclared()
    }

    func visit(_ visitor: inout MemberVisitor) {
        visitor.members(undeclared: undeclared, ("street", street), ("number", number), ("next", next))
    }
}

private struct Labels: SchemaObject {
    var name: String?
    var others: [String: Int]
    private var undeclared = UndeclaredMembers()

    init(name: String? = nil, others: [String: Int] = [:]) {
        self.name = name
        self.others = others
    }

    init(reading members: inout ObjectMembers) throws {
        self.init(name: members.optional("name"), others: members.others())
        self.undeclared = members.undeclared()
    }

    func visit(_ visitor: inout MemberVisitor) {
        visitor.others(others, besides: ["name"])
        visitor.members(undeclared: undeclared, ("name", name))
    }
}

@Suite struct GeneratedModelTests {
    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONCoding.standard.decode(type, from: Bytes(text.utf8))
    }

    private func encode(_ value: some Encodable) throws -> String {
        String(decoding: try JSONCoding.standard.encode(value), as: UTF8.self)
    }

    @Test func anUnknownValueOfAnEnumerationSurvives() throws {
        let colors = try decode([Color].self, "[\"red\",\"mauve\"]")
        #expect(colors == [.red, .unknown("mauve")])
        #expect(colors.map(\.isKnown) == [true, false])
        #expect(try encode(colors) == "[\"red\",\"mauve\"]")
    }

    @Test(
        arguments: [
            ("{}", nil), ("{\"name\":null}", Nullable<String>.null), ("{\"name\":\"Ada\"}", .value("Ada")),
        ] as [(String, Nullable<String>?)])
    func absentNullAndAValueAreThreeStates(_ text: String, _ expected: Nullable<String>?) throws {
        let change = try decode(Change.self, text)
        #expect(change.name == expected)
        #expect(try encode(change) == text)
    }

    @Test func aBoxedMemberIsLikeAnyOther() throws {
        let change = Change(parent: Change(name: "up"), boxedName: .null)
        let text = try encode(change)
        #expect(try decode(Change.self, text) == change)
        #expect(text.contains("\"boxedName\":null"))
        #expect(text.contains("\"parent\":{\"name\":\"up\"}"))
    }

    @Test(
        arguments: [
            ("{\"name\":\"a\",\"lives\":9}", Pet.cat(Cat(name: "a", lives: 9))),
            ("{\"name\":\"a\",\"tricks\":[]}", .dog(Dog(name: "a", tricks: []))),
            ("{\"name\":\"a\",\"kind\":\"dog\",\"lives\":1,\"fur\":\"x\"}", .dog(Dog(name: "a", kind: "dog"))),
            ("{\"name\":\"a\",\"kind\":\"cat\",\"tricks\":[]}", .cat(Cat(name: "a"))),
            ("\"red\"", .color(.red)), ("\"blue\"", .string("blue")),
            ("\"1970-01-01T00:00:10Z\"", .date(Date(timeIntervalSince1970: 10))),
            ("{\"wheels\":4,\"doors\":2}", .unknown(["wheels": 4, "doors": 2])),
        ] as [(String, Pet)])
    fileprivate func theMemberThatFitsBestIsTaken(_ text: String, _ expected: Pet) throws {
        #expect(try decode(Pet.self, text) == expected)
    }

    @Test(arguments: ["[1]", "7", "true", "{\"name\":\"a\",\"lives\":\"nine\"}", "{\"kind\":\"dog\",\"tricks\":1}"])
    func valuesThatFitNoUnionMemberAreRejected(_ text: String) {
        #expect(throws: DecodingError.self) { try decode(Pet.self, text) }
    }

    @Test func theDiscriminatorIsAlwaysWritten() throws {
        #expect(try encode(Pet.cat(Cat(lives: 9))).contains("\"kind\":\"cat\""))
        #expect(try encode(Pet.date(Date(timeIntervalSince1970: 10))) == "\"1970-01-01T00:00:10Z\"")
    }

    @Test(arguments: [
        "{\"street\":\"High\"}", "{\"number\":null,\"street\":\"High\"}",
        "{\"colour\":{\"wall\":[1,null]},\"street\":\"High\"}", "{\"colour\":null,\"number\":null,\"street\":\"High\"}",
        "{\"next\":{\"number\":null,\"street\":\"Low\",\"x\":true},\"number\":7,\"street\":\"High\"}",
    ])
    func undeclaredAndNullMembersSurviveARoundTrip(_ text: String) throws {
        let house = try decode(House.self, text)
        #expect(try decode(JSONValue.self, encode(house)) == decode(JSONValue.self, text))
    }

    @Test func undeclaredMembersAreVisibleButNotCompared() throws {
        let house = try decode(House.self, "{\"street\":\"High\",\"number\":null,\"colour\":\"red\"}")
        #expect(house.undeclaredMembers == ["colour": "red", "number": .null])
        #expect(house == House(street: "High"))
        #expect(Set([house, House(street: "High")]).count == 1)
        #expect(house != House(street: "Low"))
    }

    @Test func aNumberThatNoTypeHoldsIsAnErrorWhereNoPropertyIsForIt() {
        let error = #expect(throws: (any Error).self) { try decode(House.self, "{\"street\":\"High\",\"size\":1e400}") }
        #expect("\(String(describing: error))".contains("size"))
    }

    @Test func aValueWinsOverTheNullThatCame() throws {
        var house = try decode(House.self, "{\"street\":\"High\",\"number\":null}")
        house.number = 3
        #expect(try decode(JSONValue.self, encode(house)) == ["street": "High", "number": 3])
    }

    @Test(
        arguments: [
            ("{}", "street"), ("{\"street\":1}", "street"), ("{\"street\":\"a\",\"number\":\"x\"}", "number"),
            ("{\"street\":\"a\",\"next\":{}}", "street"), ("[]", "Dictionary"),
        ])
    func aMemberThatIsMissingOrOfAnotherTypeIsAnError(_ text: String, _ member: String) {
        let error = #expect(throws: (any Error).self) { try decode(House.self, text) }
        #expect("\(String(describing: error))".contains(member))
    }

    @Test func membersOfAnyNameAreADictionary() throws {
        let labels = try decode(Labels.self, "{\"name\":\"n\",\"a\":1,\"b\":2}")
        #expect(labels == Labels(name: "n", others: ["a": 1, "b": 2]))
        #expect(Set([labels, Labels(name: "n", others: ["b": 2, "a": 1])]).count == 1)
        #expect(try decode(Labels.self, encode(labels)) == labels)
        #expect(throws: (any Error).self) { try decode(Labels.self, "{\"a\":\"x\"}") }
    }

    @Test(arguments: ["{}", "{\"name\":null}", "{\"a\":1,\"name\":null}"])
    func aNullComesBackBesideADictionaryAndIsNotInIt(_ text: String) throws {
        let labels = try decode(Labels.self, text)
        #expect(labels.name == nil)
        #expect(labels.others["name"] == nil)
        #expect(try decode(JSONValue.self, encode(labels)) == decode(JSONValue.self, text))
        #expect(labels.undeclaredMembers.keys.allSatisfy { $0 == "name" })
    }
}
