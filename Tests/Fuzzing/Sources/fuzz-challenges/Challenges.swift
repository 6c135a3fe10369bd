import Foundation
import FuzzSupport

@testable import NetClient
@testable import NetCore

@main
enum Main {
    static func main() {
        exit(runFuzzer { fuzz($0, $1) })
    }
}

/// The bytes are the lines of a header with challenges, and a header with parameters. Decoded values must encode, and
/// decode again to the same; a Digest state created from them must count and encode.
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    var parser = AuthChallengeParser()
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { parser.read(String(line)) }
    let challenges = parser.finish()
    var spaces = DigestSpaces(origin: "http://h")
    for challenge in challenges {
        let names = challenge.parameters.map(\.name)
        guard Set(names).count == names.count, names.count <= AuthChallenge.maximumParameters,
            challenge.token68 == nil || names.isEmpty
        else { fatalError("\(challenge.value)") }
        guard
            AuthChallenge.list(challenge.value) == [challenge]
                || challenge.value.utf8.count > AuthChallenge.maximumBytes
        else { fatalError("\(text) is written as \(challenge.value)") }
        guard let digest = DigestChallenge(challenge) else { continue }
        let first = spaces.challenged(digest, cnonce: "c")
        let second = spaces.challenged(digest, cnonce: "c")
        guard second.count == first.count + 1 else { fatalError("\(digest): \(first.count), \(second.count)") }
        let answer = DigestAnswer(
            to: second.challenge, uri: "/", cnonce: second.cnonce, count: second.count, protection: .authentication)
        let field = try? answer.authorization(user: "ü\"", proof: "p", hash: { _ in "h" })
        guard let field else { continue }
        guard field.parameters.first(where: { $0.name == "realm" })?.value == digest.realm else {
            fatalError("\(field.value)")
        }
    }
    if let list = FieldParameter.list(text) {
        guard Set(list.map(\.name)).count == list.count else { fatalError("\(list)") }
    }
    return 0
}
