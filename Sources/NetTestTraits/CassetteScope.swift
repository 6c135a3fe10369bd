#if canImport(Testing)
internal import NetCore
internal import NetTesting
internal import Synchronization
internal import Testing

/// The cassettes of one test, or of one case of a test, while it runs.
final class CassetteScope: Sendable {
    @TaskLocal static var current: CassetteScope?

    private let options: CassetteOptions
    private let name: String
    /// True for a test with arguments, where each case has a separate file.
    private let needsPart: Bool
    private let state = Mutex(State())

    private struct State {
        /// The opened sessions, or the errors from opening them, by part.
        var sessions: [String?: Result<ReplaySession, NetError>] = [:]
        /// The parts that received a request.
        var called: Set<String?> = []
    }

    init(_ options: CassetteOptions, name: String, needsPart: Bool) {
        self.options = options
        self.name = name
        self.needsPart = needsPart
    }

    /// Returns the session of a part, opening it once.
    func session(part: String?, forCall isCall: Bool) -> Result<ReplaySession, NetError> {
        state.withLock { state in
            if isCall { state.called.insert(part) }
            if let session = state.sessions[part] { return session }
            let session = open(part)
            state.sessions[part] = session
            return session
        }
    }

    private func open(_ part: String?) -> Result<ReplaySession, NetError> {
        Result { () throws(NetError) in
            if needsPart && part == nil {
                throw NetError(
                    .invalidRequest, phase: .preparing,
                    message: "a test with arguments has a cassette for each of its cases; say which: "
                        + "CassetteTransport(case: \"…\", over: …)")
            }
            return try ReplaySession(sessionOptions(path(part)), canRecord: true)
        }
    }

    private func path(_ part: String?) throws(NetError) -> String {
        try CassetteName(name, in: options.folder, beside: options.filePath).path(part: part)
    }

    private func sessionOptions(_ path: String) -> ReplaySession.Options {
        var options = options.session
        options.path = path
        return options
    }

    // MARK: The end of the test

    /// Writes the recordings, and reports problems with the cassettes; does neither if the test itself failed.
    func finish(hasPassed: Bool) {
        let (opened, called) = state.withLock { ($0.sessions, $0.called) }
        for (part, session) in opened {
            switch session {
            case .success(let session): finish(session, part, hasPassed)
            case .failure(let error):
                // A suite may create a transport that this test doesn't use, and which therefore has no file.
                let isMissing = (try? path(part)).map { !ReplaySession.exists($0) } ?? false
                if hasPassed && (called.contains(part) || !isMissing && !(needsPart && part == nil)) {
                    report("\(error)")
                }
            }
        }
        if opened.isEmpty && hasPassed && !needsPart { checkForgotten() }
    }

    private func finish(_ session: ReplaySession, _ part: String?, _ hasPassed: Bool) {
        let file = (try? path(part)) ?? name
        guard hasPassed else {
            if session.recordedCount > 0 {
                note(
                    "the test failed, so the \(session.recordedCount) exchanges that it recorded are not written to \(file)"
                )
            }
            return
        }
        do throws(NetError) {
            try session.save()
        } catch {
            report("\(error)")
        }
        if let failure = session.renewalFailure { note(failure) }
        reportUnused(session.unusedExchanges)
    }

    /// Checks a test that has a cassette but never uses it.
    private func checkForgotten() {
        do throws(NetError) {
            let path = try path(nil)
            guard ReplaySession.exists(path) else { return }
            var options = sessionOptions(path)
            (options.mode, options.environment) = (.none, ReplayEnvironment())
            reportUnused(try ReplaySession(options, canRecord: false).unusedExchanges)
        } catch {
            report("\(error)")
        }
    }

    private func reportUnused(_ unused: [String]) {
        guard options.verifiesUse, !unused.isEmpty else { return }
        report(
            "\(unused.count) recorded exchanges were not used; send their requests, remove them, or record again with "
                + "NET_CASSETTES=all: \(unused.joined(separator: "; "))")
    }

    private func report(_ text: String) {
        Issue.record("\(text)", sourceLocation: options.sourceLocation)
    }

    private func note(_ text: String) {
        Issue.note(text, at: options.sourceLocation)
    }
}
#endif
