internal import Synchronization

/// What a DNS-over-HTTPS server says of names, answer by answer: names that come and go, as on a network that flaps.
///
///     let names = NameScript(["api.example.com": [.failure, .addresses(["127.0.0.1"]), .noSuchName]])
///     let server = try await TestServer.start([.dnsOverHTTPS(names)], configuration: .tls())
///     var configuration = CurlTransport.Configuration()
///     configuration.connection.dnsOverHTTPS = "\(server.baseURL)/dns-query"
///     configuration.connection.dnsCacheLife = .zero
public final class NameScript: Sendable {
    /// One answer about a name.
    public enum Answer: Sendable, Hashable {
        /// The IPv4 and IPv6 addresses of the name.
        case addresses([String])
        /// The name doesn't exist (NXDOMAIN).
        case noSuchName
        /// The server can't tell (SERVFAIL).
        case failure
        /// Bytes that are no DNS message.
        case garbage
    }

    private struct State {
        var answers: [String: [Answer]]
        /// For each name and type how many answers were given.
        var given: [String: Int] = [:]
        var questions: [String] = []
    }

    private let state: Mutex<State>

    /// The maximum number of questions that ``questions`` holds.
    package static let maximumQuestions = 1000

    /// Creates a script. A name without answers, or with none left, doesn't exist; the last answer of each is repeated.
    public init(_ answers: [String: [Answer]]) {
        state = Mutex(
            State(answers: Dictionary(answers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }))
    }

    /// The names that were asked for, in order, each with the type of its records: `api.example.com A`. At most the first 1,000.
    public var questions: [String] { state.withLock { $0.questions } }

    /// The answer to the next question. The questions of one resolution, for `A` and `AAAA`, get the same one.
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
