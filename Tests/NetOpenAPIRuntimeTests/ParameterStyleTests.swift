import Foundation
import NetCore
@_spi(Generated) import NetOpenAPIRuntime
import Testing

/// The serialization of one parameter, with the cases of `openapi-params/cases.json`; skipped if the shared data is
/// absent.
@Suite struct ParameterStyleTests {
    struct Case: Decodable, Sendable, CustomStringConvertible {
        let place: String
        let style: String
        let explode: Bool
        let allowReserved: Bool?
        let name: String
        let value: OrderedValue
        let expect: String?

        enum CodingKeys: String, CodingKey {
            case place = "in"
            case style, explode, allowReserved, name, value, expect
        }

        var description: String { "\(place) \(style) \(explode) \(expect ?? "")" }
    }

    private struct File: Decodable { let cases: [Case] }

    static let cases: [Case] = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let named = ProcessInfo.processInfo.environment["NET_DATA"].map { URL(filePath: $0) }
        let folder = named ?? package.deletingLastPathComponent().appending(path: "shared")
        guard let data = try? Data(contentsOf: folder.appending(path: "conformance/openapi-params/cases.json")),
            let file = try? JSONDecoder().decode(File.self, from: data)
        else {
            print("skipped: 0 parameter cases, the shared data is absent (NET_DATA)")
            return []
        }
        return file.cases
    }()

    private static let styles: [String: ParameterStyle] = [
        "simple": .simple, "label": .label, "matrix": .matrix, "form": .form, "spaceDelimited": .spaceDelimited,
        "pipeDelimited": .pipeDelimited, "deepObject": .deepObject,
    ]

    @Test("A parameter is written as the specification's tables say", arguments: cases)
    func aParameterIsWrittenAsSpecified(_ entry: Case) throws {
        guard let expected = entry.expect else { return }
        let style = try #require(Self.styles[entry.style])
        #expect(written(entry, style) == expected)
    }

    private func written(_ entry: Case, _ style: ParameterStyle) -> String {
        switch entry.place {
        case "path":
            var path = Path()
            path.append(parameter: entry.name, entry.value, style: style, explode: entry.explode)
            return path.encoded
        case "header":
            var headers = ParameterFields()
            headers.append(entry.name, entry.value, explode: entry.explode)
            return headers.headers.first?.value ?? ""
        case "cookie":
            var headers = ParameterFields()
            headers.appendCookie(entry.name, entry.value, explode: entry.explode)
            return headers.headers.first?.value ?? ""
        default:
            return QueryItem.parameter(
                entry.name, entry.value, style: style, explode: entry.explode,
                allowsReserved: entry.allowReserved ?? false
            ).encodedQuery
        }
    }

    @Test func aNestedObjectGoesOnInBrackets() {
        let items = QueryItem.parameter("f", ["a": ["b": 1]], style: .deepObject)
        #expect(items.encodedQuery == "f%5Ba%5D%5Bb%5D=1")
    }

    @Test func deeplyNestedValuesAreEncodedAsJSON() throws {
        let text = "a\"\u{301}\n\\b\u{1}"
        let items = QueryItem.parameter("o", ["list": [["text": text]]])
        let value = try #require(items.first?.value)
        #expect(try JSONDecoder().decode([[String: String]].self, from: Data(value.utf8)) == [["text": text]])
    }

    @Test func reservedCharactersOfAListAreThoseOfAQuery() {
        let list = QueryItem.parameter("x", ["a#b[c]/d", "e"], explode: false, allowsReserved: true)
        #expect(list.encodedQuery == "x=a%23b%5Bc%5D/d,e")
        #expect(QueryItem.parameter("x", "a#b[c]/d", allowsReserved: true).encodedQuery == "x=a%23b%5Bc%5D/d")
    }

    @Test func datesDataAndNumbersAreWrittenAsInJSON() {
        #expect(QueryItem.parameter("d", Date(timeIntervalSince1970: 0)).encodedQuery == "d=1970-01-01T00%3A00%3A00Z")
        #expect(QueryItem.parameter("d", Data([1, 2])).encodedQuery == "d=AQI%3D")
        #expect(QueryItem.parameter("n", 3.0).encodedQuery == "n=3")
        #expect(QueryItem.parameter("n", nil as Int?).isEmpty)
    }
}

/// JSON whose objects keep the order of the cases: color's members are R, G, B.
struct OrderedValue: Codable, Sendable {
    let value: JSONValue

    init(from decoder: any Decoder) throws { value = try JSONValue(from: decoder) }

    func encode(to encoder: any Encoder) throws {
        guard case .object(let object) = value else { return try value.encode(to: encoder) }
        var container = encoder.container(keyedBy: JSONKey.self)
        let order = ["R", "G", "B", "a", "b"]
        for key in order { if let member = object[key] { try container.encode(member, forKey: JSONKey(key)) } }
    }
}
