internal import Synchronization

/// A script for a DNS-over-HTTPS server: names that appear and disappear, as on a flapping network.
///
///     let names = NameScript(["api.example.com": [.failure, .addresses(["127.0.0.1"]), .noSuchName]])
///     let server = try await TestServer.start([.dnsOverHTTPS(names)], configuration: .tls())
///     var configuration = CurlTransport.Configuration()
///     configuration.connection.dnsOverHTTPS = "\(server.baseURL)/dns-query"
///     configuration.connection.dnsCacheLife = .zero
public final class NameScript: Sendable {
    /// One response for a name.
    public enum Answer: Sendable, Hashable {
        /// The IPv4 and IPv6 addresses of the name.
        case addresses([String])
        /// The name is an alias of another one (CNAME), whose addresses aren't in the response.
        case alias(String)
        /// The name doesn't exist (NXDOMAIN).
        case noSuchName
        /// The server can't resolve the name (SERVFAIL).
        case failure
        /// Bytes that aren't a DNS message.
        case garbage
    }

    private struct State {
        var answers: [String: [Answer]]
        /// The number of responses so far, for each name and type.
        var given: [String: Int] = [:]
        var questions: [String] = []
    }

    private let state: Mutex<State>

    /// The maximum number of questions that ``questions`` holds.
    package static let maximumQuestions = 1000

    /// Creates a script. Unknown names, and names with an empty list, don't exist; the last response of each name is
    /// repeated.
    public init(_ answers: [String: [Answer]]) {
        state = Mutex(
            State(answers: Dictionary(answers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }))
    }

    /// The questions so far, in order, each as a name and a record type: `api.example.com A`. At most the first 1,000.
    public var questions: [String] { state.withLock { $0.questions } }

    /// Returns the response to the next question. The `A` and `AAAA` questions of one resolution get the same response.
    func answer(_ name: String, _ type: UInt16) -> Answer {
        let name = name.lowercased()
        let question = "\(name) \(type == 1 ? "A" : type == 28 ? "AAAA" : "\(type)")"
        return state.withLock { state in
            if state.questions.count < Self.maximumQuestions { state.questions.append(question) }
            let count = state.given[question, default: 0]
            state.given[question] = count + 1
            guard let answers = state.answers[name], let last = answers.last else { return .noSuchName }
            return count < answers.count ? answers[count] : last
        }
    }
}
