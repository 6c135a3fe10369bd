import Foundation

/// Expressions with the same meaning in mitmproxy: its letters, words that are literal as regular expressions, and
/// statuses as numbers. mitmproxy accepts adjacent terms only outside of parentheses, and a letter only before a space.
struct Expressions {
    private var numbers: SeededNumbers

    init(seed: UInt64) { numbers = SeededNumbers(seed) }

    /// Returns each letter by itself first, then random expressions, all different.
    mutating func all(_ count: Int) -> [String] {
        var result = Self.letters.flatMap { letter, words in words.prefix(2).map { Self.term(letter, $0) } }
        var seen = Set(result)
        while result.count < count {
            let text = filter()
            if seen.insert(text).inserted { result.append(text) }
        }
        return result
    }

    private static let letters: [(letter: String, words: [String])] = [
        ("", ["users", "example.com/users", "page=2&limit", "/images/logo.png", "https", "nowhere", "\"search\""]),
        ("d", ["example.com", "API", "localhost", "images.example.net", "8080", "nowhere"]),
        ("u", ["/USERS", "localhost:8080", "q=a%20b", "'limit=10'", "png", "nowhere"]),
        ("m", ["GET", "post", "delete", "P", "options"]),
        ("c", ["200", "204", "404", "429", "503", "418"]),
        ("h", ["json", "\"server: nginx\"", "x-trace", "accept", "\"x-client: swift\"", "nowhere"]),
        ("hq", ["\"accept: text/plain\"", "content-type", "x-client", "nginx", "swift"]),
        ("hs", ["envoy", "content-type", "\"x-trace: abc\"", "image/png", "swift"]),
        ("b", ["hello", "\"good bye\"", "größe", "o", "nowhere"]),
        ("bq", ["hello", "world", "timeout", "\"größe 7\""]),
        ("bs", ["hello", "hell", "world", "'{\\\"name'"]),
        ("t", ["json", "text", "image/png", "plain", "nowhere"]),
        ("e", [""]), ("q", [""]), ("s", [""]), ("all", [""]),
    ]

    private static func term(_ letter: String, _ word: String) -> String {
        switch letter {
        case "": word
        case "e", "q", "s", "all": "~" + letter
        default: "~\(letter) \(word)"
        }
    }

    private mutating func filter() -> String {
        (0..<numbers.one(of: [1, 1, 2, 3])).map { _ in chain(depth: 2) }.joined(separator: " ")
    }

    private mutating func chain(depth: Int) -> String {
        var text = operand(depth: depth)
        for _ in 0..<numbers.one(of: [0, 1, 1, 2]) { text += numbers.one(of: [" & ", " | "]) + operand(depth: depth) }
        return text
    }

    private mutating func operand(depth: Int) -> String {
        let negation = numbers.once(in: 3) ? "!" : ""
        if depth > 0, numbers.once(in: 3) { return "\(negation)( \(chain(depth: depth - 1)) )" }
        let (letter, words) = numbers.one(of: Self.letters)
        return negation + Self.term(letter, numbers.one(of: words))
    }
}
