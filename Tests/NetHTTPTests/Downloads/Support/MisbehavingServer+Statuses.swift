#if Server
import HTTPTypes
import NetCore
import NetTesting

extension MisbehavingServer {
    private static func redirect(_ target: String) -> StubResponse {
        StubResponse.status(.found).header(.location, target)
    }

    /// Serves the file, and responds with the error to a request for the rest.
    private static func failing(
        _ description: String, _ ending: Ending, _ response: StubResponse, times: Int = .max
    ) -> MisbehavingServer {
        MisbehavingServer(description, ending, resumes: .needed) { visit in
            if visit.isFirst { return .tagged.cut }
            return visit.number <= times ? response : .tagged.part(for: visit.request)
        }
    }

    /// Error responses, and links that lead elsewhere.
    static let statuses: [MisbehavingServer] = [
        failing("404 for the rest", .error(["rejected"]), .text("gone", status: .notFound)),
        failing("410 for the rest", .error(["rejected"]), .status(.gone)),
        failing("401 for the rest", .error(["rejected"]), .status(.unauthorized)),
        failing("500 for the rest, then the rest", .file, .status(.internalServerError), times: 1),
        failing("503 for ever", .error(["rejected", "retriesExhausted"]), .status(.serviceUnavailable)),
        failing(
            "429 with Retry-After, then the rest", .file, .status(.tooManyRequests).header(.retryAfter, "0"), times: 1),
        MisbehavingServer("204", .error(["rejected"])) { _ in .status(.noContent) },
        MisbehavingServer("304 to no condition", .error(["rejected"])) { _ in .status(.notModified) },
        MisbehavingServer("a redirect to an expired link", .error(["rejected"])) { visit in
            visit.request.path == "/file" ? redirect("/signed") : .text("expired", status: .forbidden)
        },
        MisbehavingServer("a redirect to a new link for the rest", .file, resumes: .needed) { visit in
            guard visit.request.path != "/file" else { return redirect("/signed/\(visit.number)") }
            let answer = StubResponse.tagged.part(for: visit.request)
            return visit.number == 1 ? answer.cut : answer
        },
        MisbehavingServer("a redirect in circles", .error(["network", "rejected"])) { visit in
            redirect(visit.request.target)
        },
        MisbehavingServer("a redirect to nowhere", .error(["network", "rejected"])) { _ in .status(.found) },
    ]

    private static let lost: Ending = .error(["network", "retriesExhausted"])

    /// Connections that end or stall.
    static let endings: [MisbehavingServer] = [
        MisbehavingServer("a reset in the middle", .file, resumes: .needed) { visit in
            let answer = StubResponse.tagged.part(for: visit.request)
            return visit.isFirst ? answer.dropping(.afterBodyBytes(cut), form: .reset) : answer
        },
        MisbehavingServer("no answer at first", .file) { visit in visit.isFirst ? .dropped() : .tagged },
        MisbehavingServer("never an answer", lost) { _ in .dropped(form: .reset) },
        MisbehavingServer("it stands still in the middle", .file, resumes: .needed, stalls: true) { visit in
            let answer = StubResponse.tagged.part(for: visit.request)
            return visit.isFirst ? answer.dropping(.afterBodyBytes(cut), form: .stall) : answer
        },
        MisbehavingServer("throttled to nothing for ever", lost, stalls: true) { _ in
            .tagged.dropping(.afterHead, form: .stall)
        },
        MisbehavingServer("half a head", lost) { _ in .tagged.dropping(.insideHead) },
        MisbehavingServer("a megabyte of fields", lost) { _ in .tagged.faulting(.headerBomb(bytes: 1 << 20)) },
    ]
}
#endif
