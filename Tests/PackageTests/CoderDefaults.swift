import Foundation
import NetCore
import NetHTTP

/// The defaults of the coders, as listed in docs/defaults.md.
enum CoderDefaults {
    private struct Sample: Codable {
        var firstName = "Ada"
        var born = Date(timeIntervalSince1970: 0)
        var photo = Data([0xff, 0xfe])
        var age = 36
    }

    private struct Dated: Codable { let born: Date }

    static func rows() throws -> [String: String] {
        let members = try text(Sample(), .standard)
        let snake = try text(Sample(), .snakeCaseISO8601)
        let items = try QueryEncoder().encode(Sample())
        return [
            "HTTPClient.Configuration.coding": try text(Sample(), HTTPClient.Configuration().coding) == members
                ? "standard" : "other",
            "JSONCoding.standard, keys": try key("Ada", in: members, .standard),
            "JSONCoding.standard, dates sent": try value("born", in: members),
            "JSONCoding.standard, dates read": try datesRead(),
            "JSONCoding.standard, data": try value("photo", in: members) == "//4=" ? "base64" : "other",
            "JSONCoding.standard, order": members.hasPrefix(#"{"age":36,"born":"#) ? "by name" : "other",
            "JSONCoding.standard, not finite": (try? text([Double.infinity], .standard)) == nil ? "error" : "written",
            "JSONCoding.snakeCaseISO8601, keys": try key("Ada", in: snake, .snakeCaseISO8601),
            "QueryEncoder, dates": items.first { $0.name == "born" }?.value ?? "",
            "QueryEncoder, keys": items.first { $0.value == "Ada" }?.name ?? "",
        ]
    }

    private static func text(_ value: some Encodable, _ coding: JSONCoding) throws -> String {
        String(decoding: try coding.encode(value), as: UTF8.self)
    }

    /// Returns the name of the member with this text; empty if the coders don't decode it again.
    private static func key(_ text: String, in json: String, _ coding: JSONCoding) throws -> String {
        guard try coding.decode(Sample.self, from: Bytes(json.utf8)).firstName == text else { return "" }
        let members = try JSONCoding.standard.decode([String: JSONValue].self, from: Bytes(json.utf8))
        return members.first { $0.value == .string(text) }?.key ?? ""
    }

    private static func value(_ key: String, in json: String) throws -> String {
        let members = try JSONCoding.standard.decode([String: JSONValue].self, from: Bytes(json.utf8))
        guard case .string(let text)? = members[key] else { return "" }
        return text
    }

    /// Returns `RFC 3339` if all its forms are accepted, and no others.
    private static func datesRead() throws -> String {
        func read(_ text: String) -> Date? {
            try? JSONCoding.standard.decode(Dated.self, from: Bytes(#"{"born": \#(text)}"#.utf8)).born
        }
        let forms = ["1970-01-01T00:00:01Z", "1970-01-01T00:00:01.000Z", "1970-01-01T01:00:01+01:00"]
        let isRead = forms.allSatisfy { read("\"\($0)\"") == Date(timeIntervalSince1970: 1) }
        return isRead && read("1") == nil && read("\"1970-01-01\"") == nil ? "RFC 3339" : "other"
    }
}
