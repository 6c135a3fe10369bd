/// The command line of a load program: `MODE URL`, then options.
public struct LoadSettings: Sendable {
    /// The repeated operation and its measured quantity.
    public enum Mode: String, Sendable {
        /// A GET whose response is collected: CPU and latency of a request.
        case get
        /// A POST of 1 KiB whose response is collected: the same.
        case post
        /// A GET whose response is decoded from JSON: the same.
        case typed
        /// The same decoding without a request: CPU per decoding.
        case decode
        /// A GET whose response is read as it arrives: CPU per 100 MB.
        case download
        /// Many concurrent GETs of a slow response: memory of the connections that stay open.
        case idle
        /// One GET; the process ends as soon as the response has arrived.
        case once
    }

    /// An invalid command line.
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    public var mode = Mode.get
    public var url = ""
    /// For `idle`: a URL whose response is so slow that each request needs its own connection.
    public var slowURL = ""
    public var concurrency = 1
    public var seconds = 2.0
    public var warmUp = 0.5
    /// True to offer HTTP/2; all requests then share one connection.
    public var usesHTTP2 = false
    /// The certificates to trust, in PEM.
    public var authoritiesPath: String?
    /// The layers that a plain call passes through.
    public enum Layer: String, Sendable {
        /// The lowest public level.
        case transport
        /// The client without middleware.
        case client
        /// The client with what most programs use: credentials, retry, and a log whose level is off.
        case chain
        /// The client with an app's own middleware.
        case own
        /// The client with an activity store as a listener.
        case store
    }
    public var layer = Layer.transport
    /// True to run tasks on the executor that the client offers.
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
