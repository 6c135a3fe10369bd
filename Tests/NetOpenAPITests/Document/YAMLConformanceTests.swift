import Foundation
import Testing

@testable import NetOpenAPI

/// One case of the YAML test suite.
private struct SuiteCase: Decodable {
    var id: String
    var yaml: String
    var fail: Bool
    var json: String?
}

/// The cases with results that differ from the suite, by reason. Each set must be exact.
private enum Deviations {
    /// A JSON tree can't represent a sequence or mapping as a key.
    static let complexKeys: Set = [
        "V9D5", "Q9WF", "RZP5", "4FJ6", "6BFJ", "KK5P", "M5DY", "LX3P", "XW4D", "6PBE", "SBG9", "M2N8/01",
    ]
    /// An OpenAPI document without content, or without content before a second document, is an error.
    static let empty: Set = ["8G76", "98YD", "6XDY"]
    /// libyaml 0.2.5 reads YAML 1.1, which is more restrictive about tabs as separation, directives, `:` and `?` in
    /// flow style, anchors with characters other than letters and digits, and block scalars without indentation.
    static let rejectedByLibrary: Set = [
        "6M2F", "R4YG", "QT73", "HWV9", "96NN/01", "Y79Y/01", "96NN/00", "UT92", "K3WX", "5MUD", "2LFX", "6LVF",
        "W4TN", "2JQS", "M2N8/00", "FP8R", "DK3J", "M7A3", "4ABK", "FRK4", "DK95/04", "VJP3/01", "NJ66", "Q5MG",
        "DK95/03", "6BCT", "6CA3", "DK95/00", "Y79Y/10", "DBG4", "58MP", "W5VH", "8XYN",
    ]
    /// libyaml reads these although YAML 1.2 forbids them; their value is the intended one.
    static let acceptedByLibrary: Set = [
        "RHX7", "DK95/01", "9C9N", "QB6E", "S98Z", "EB22", "X4QW", "CVW2", "Y79Y/03",
    ]
    /// libyaml drops the line break of a block scalar that contains only blanks.
    static let differentInLibrary: Set = ["JEF9/02"]

    static let all = complexKeys.union(empty).union(rejectedByLibrary).union(acceptedByLibrary)
        .union(differentInLibrary)
}

@Test("The YAML test suite reads as it says, but for the named deviations")
func yamlTestSuite() throws {
    guard let folder = SharedData.folder,
        let data = try? Data(contentsOf: folder.appending(path: "conformance/yaml-test-suite/cases.json"))
    else {
        print("skipped: 0 cases of the YAML test suite, the shared data is absent (NET_DATA)")
        return
    }
    let cases = try JSONDecoder().decode([SuiteCase].self, from: data)
    let deviating = Set(cases.filter { !isAsExpected($0) }.map(\.id))
    print("YAML test suite: \(cases.count - deviating.count) of \(cases.count) cases read as it says")
    #expect(deviating.subtracting(Deviations.all) == [])
    #expect(Deviations.all.intersection(cases.map(\.id)).subtracting(deviating) == [])
}

private func isAsExpected(_ entry: SuiteCase) -> Bool {
    guard let root = try? YAMLReader.read(entry.yaml.bytes, name: entry.id).root else { return entry.fail }
    guard !entry.fail else { return false }
    return entry.json.map { matches($0, root) } ?? true
}

/// Returns true if a tree equals the first of the JSON documents in a text.
private func matches(_ json: String, _ node: Node) -> Bool {
    // Several documents follow each other without a separator: takes the longest prefix of lines that is one.
    let lines = json.split(separator: "\n", omittingEmptySubsequences: false)
    for count in stride(from: lines.count, to: 0, by: -1) {
        let text = lines.prefix(count).joined(separator: "\n")
        if let expected = try? JSONReader.read(text.bytes, name: "expected").root { return isSame(expected, node) }
    }
    return false
}

private func isSame(_ json: Node, _ yaml: Node) -> Bool {
    switch (json.value, yaml.value) {
    case (.scalar(let text, isQuoted: true), .scalar(let other, _)): return text == other
    case (.scalar(let text, isQuoted: false), .scalar(let other, _)):
        if json.isNull { return yaml.isNull }
        return text == other.lowercased() || (json.double != nil && json.double == yaml.double)
    case (.array(let left), .array(let right)):
        return left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
    case (.object(let left), .object(let right)):
        return left.count == right.count
            && left.allSatisfy { member in yaml[member.key].map { isSame(member.value, $0) } ?? false }
    default: return false
    }
}
