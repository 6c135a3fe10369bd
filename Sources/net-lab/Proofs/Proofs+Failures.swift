#if Tools && Server
internal import Foundation
internal import HTTPTypes
internal import NetCore
internal import NetHTTP

/// Proofs about errors, timeouts, retries and cancellation.
extension Proofs {
    static let timeout = Scenario(
        "timeout", "No first byte within 150 ms.", expect: "timeout while waiting, attempt 1"
    ) { try await $0.trouble(of: .slow) }

    static let typed401 = Scenario(
        "typed 401", "A wrong password, as the type that the document declares.", expect: "401: wrong name or password"
    ) { lab in
        let request = SignInRequest(payload: SignIn(name: "ada", password: "guess"))
        guard case .rejected(let problem, let head)? = await lab.failure(of: request) else {
            return "no typed failure"
        }
        return "\(head.status.code): \(problem.title)"
    }

    static let retry429 = Scenario(
        "429 retry", "Retry-After is respected.", expect: "Moby-Dick after 2 requests, not before 1 s"
    ) { lab in
        try await lab.passingTime { lab in
            // No limit applies, because a test clock would also advance to it; only the wait takes time.
            let patient = lab.with { $0.timeouts = Timeouts(firstByte: nil, stall: nil, total: nil) }
            let (before, start) = (lab.peer.arrived, lab.client.configuration.clock.now())
            let book = try await patient.send(GetBookRequest(bookID: ShopFault.busy.id))
            let time = lab.client.configuration.clock.now() - start
            return "\(book.title) after \(lab.peer.arrived - before) requests, "
                + "\(time < .seconds(1) ? "" : "not ")before 1 s"
        }
    }

    static let error500 = Scenario(
        "500", "The server's error, retried as often as the policy says; the last response is kept.",
        expect: "unacceptableStatus 500, \"the shop is on fire\", 3 requests"
    ) { lab in
        let before = lab.peer.arrived
        guard let error = await lab.failure(of: GetBookRequest(bookID: ShopFault.broken.id))?.netError else {
            return "no error"
        }
        let body = error.response.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
        return "\(error.code) \(error.status ?? 0), \"\(body)\", \(lab.peer.arrived - before) requests"
    }

    static let cancellation = Scenario(
        "cancellation", "Cancelling the task ends the call, and the server's work with it.",
        expect: "cancelled, and the server saw it"
    ) { lab in
        var events = lab.shop.endless.events.makeAsyncIterator()
        let call = Task {
            let error = await lab.failure(of: Request<String>("charts/endless", serializer: .string))
            lab.shop.endless.callEnded()
            return error?.netError?.code.rawValue ?? "answered"
        }
        guard await events.next() == .came else { return await call.value + " too early" }
        call.cancel()
        let ends: Set = [await events.next(), await events.next()]
        let isSeen = ends == [.callEnded, .givenUp]
        return "\(await call.value), and the server \(isSeen ? "saw it" : "did not see it")"
    }
}
#endif
