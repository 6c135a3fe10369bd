/// What the command line of a load program asks for: `MODE URL`, then options.
public struct LoadSettings: Sendable {
    /// What is done over and over, and what is told of it.
    public enum Mode: String, Sendable {
        /// A GET, the answer collected: CPU and latency of a request.
        case get
        /// A POST of 1 KiB, the answer collected: the same.
        case post
        /// A GET whose answer is decoded from JSON: the same.
        case typed
        /// The same decoding without a request: CPU of one.
        case decode
        /// A GET whose answer is read as it arrives: CPU of 100 MB.
        case download
        /// Many GETs of a slow answer at once: memory of the connections that stay.
        case idle
        /// One GET; the process ends at its answer.
        case once
    }

    /// A command line that cannot be read.
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    public var mode = Mode.get
    public var url = ""
    /// `idle`: answers so slowly that all requests need a connection of their own.
    public var slowURL = ""
    public var concurrency = 1
    public var seconds = 2.0
    public var warmUp = 0.5
    /// Whether HTTP/2 is offered; all requests then share one connection.
    public var usesHTTP2 = false
    /// The certificates to trust, in PEM.
    public var authoritiesPath: String?
    /// What a plain call goes through.
    public enum Layer: String, Sendable {
        /// The lowest public level.
        case transport
        /// The client without middleware.
        case client
        /// The client with what most programs give it: credentials, retry, a log whose level is off.
        case chain
        /// The client with a middleware of an app.
        case own
        /// The client with an activity store that listens.
        case store
    }
    public var layer = Layer.transport
    /// Whether tasks run on the executor that the client offers.
    public var usesExecutor = false

    init(arguments: [String]) throws {
        var words = arguments.dropFirst()
        func next(_ what: String) throws -> String {
            guard let word = words.popFirst() else { throw UsageError(description: "\(what) is missing") }
            return word
        }
        func number<Value: LosslessStringConvertible>(_ option: String) throws -> Value {
            let word = try next("the number after \(option)")
            guard let value = Value(word) else { throw UsageError(description: "\(option) \(word) is no number") }
            return value
        }
        let name = try next("the mode")
        guard let mode = Mode(rawValue: name) else { throw UsageError(description: "there is no mode \(name)") }
        self.mode = mode
        url = try next("the URL")
        while let option = words.popFirst() {
            switch option {
            case "--slow": slowURL = try next("the URL after --slow")
            case "--concurrency": concurrency = max(1, try number(option))
            case "--seconds": seconds = try number(option)
            case "--warm-up": warmUp = try number(option)
            case "--http2": usesHTTP2 = true
            case "--authorities": authoritiesPath = try next("the file after --authorities")
            case "--layer":
                let word = try next("the layer after --layer")
                guard let layer = Layer(rawValue: word) else {
                    throw UsageError(description: "there is no layer \(word)")
                }
                self.layer = layer
            case "--executor": usesExecutor = true
            default: throw UsageError(description: "there is no option \(option)")
            }
        }
    }
}
