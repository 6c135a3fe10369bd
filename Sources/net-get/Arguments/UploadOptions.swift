#if Tools
internal import ArgumentParser
internal import Foundation
internal import HTTPTypes
internal import NetHTTP

/// The options of `--upload`.
struct UploadOptions: ParsableArguments {
    @Option(
        name: .customLong("upload"),
        help: ArgumentHelp("Send a file to the URL; may be repeated.", valueName: "file"))
    var files: [String] = []
    @Option(
        name: .customLong("protocol"),
        help:
            "How to send the files: as the server announces (auto), tus, the IETF draft (resumable), or whole (plain)."
    )
    var choice = Choice.auto
    @Option(help: "The method of a resumable or plain upload: POST or PUT. A plain one is retried only with PUT.")
    var method = Method.post
    @Option(
        help: ArgumentHelp(
            "The folder for unfinished uploads. Default: net-get in $XDG_STATE_HOME, or in ~/.local/state.",
            valueName: "folder"))
    var state: String?

    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case auto, tus, resumable, plain

        var uploadProtocol: UploadProtocol {
            switch self {
            case .auto: .automatic
            case .tus: .tus
            case .resumable: .resumable
            case .plain: .plain
            }
        }
    }

    enum Method: String, ExpressibleByArgument, CaseIterable {
        case post = "POST"
        case put = "PUT"

        init?(argument: String) { self.init(rawValue: argument.uppercased()) }
    }

    /// The folder for journals.
    var folder: String {
        if let state { return state }
        let environment = ProcessInfo.processInfo.environment
        let base = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return "\(base ?? "\(environment["HOME"] ?? NSHomeDirectory())/.local/state")/net-get"
    }

    func requests(to url: String) -> [UploadRequest] {
        files.map { UploadRequest($0, to: url, protocol: choice.uploadProtocol, method: method == .put ? .put : .post) }
    }
}
#endif
