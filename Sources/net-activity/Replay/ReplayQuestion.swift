#if Tools
internal import ArgumentParser
internal import Foundation
internal import NetCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The confirmation before a request that may change something.
struct ReplayQuestion {
    let plan: ReplayPlan
    /// The number of times that the request is sent.
    let times: Int

    /// A description such as `POST https://api.example.com/orders with a body of 34 B`.
    private var what: String {
        let size = plan.body.map { $0.isEmpty ? "" : " with a body of \(TerminalText.bytes(Int64($0.count)))" } ?? ""
        let often = times > 1 ? ", \(times) times" : ""
        return TerminalText.clean("\(plan.method.rawValue) \(plan.shownURL)") + size + often
    }

    /// Asks on the terminal; throws unless the user confirms, or if there is no terminal.
    func ask() throws(Failure) {
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure(
                code: .usage,
                description: """
                    nothing was sent: \(what) may change something on the server, and there is no terminal to ask in. \
                    Use --yes to send it anyway
                    """)
        }
        FileHandle.standardError.write(Data("Send \(what)? [y/N] ".utf8))
        let answer = (readLine() ?? "").lowercased()
        guard answer == "y" || answer == "yes" else { throw Failure(code: .usage, description: "nothing was sent") }
    }
}
#endif
