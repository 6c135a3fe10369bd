internal import HTTPTypes
package import NetCore
internal import NetRecord
internal import Synchronization

/// One run of a cassette: the exchanges to replay, the exchanges recorded, and the file. The transport to record over
/// is passed with each request, so that the session can be opened before the transport exists.
package final class ReplaySession: Sendable {
    /// The options of a session; the arguments of ``ReplayTransport``.
    package struct Options: Sendable {
        package var path: String
        package var mode = ReplayTransport.Mode.once
        package var rules = ReplayRules()
        package var timing = ReplayTransport.Timing.immediate
        package var redaction = RedactionPolicy.safeDefault
        package var reRecordInterval: Duration?
        package var maximumBodyBytes = 16 << 20
        package var clock = NetClock.system
        package var environment = ReplayEnvironment.process

        package init(path: String) {
            self.path = path
        }
    }

    struct State {
        var replay: ReplayState
        var file: CassetteFile
    }

    /// The effective mode, after applying the environment.
    package let mode: ReplayTransport.Mode
    let options: Options
    let lock: String?
    let records: Bool
    private let age: Duration?
    let recorder: Recorder
    let state: Mutex<State>

    /// Opens a cassette. Throws `.decoding` for a file that can't be read.
    ///
    /// - Parameter canRecord: True if there can be a transport to record over.
    package init(_ options: Options, canRecord: Bool) throws(NetError) {
        var options = options
        options.redaction = options.redaction.withoutMarks
        let decision = try options.environment.decide(options.mode)
        (mode, lock, self.options) = (decision.mode, decision.lock, options)
        let exists = Cassette.exists(at: options.path)
        records = mode == .all || mode == .newEpisodes || mode == .once && !exists
        var old = Cassette()
        // The file is also read if everything is recorded again: an invalid file is detected before the requests are
        // sent.
        if exists || !records || !canRecord { old = try Self.read(options.path, lock: decision.lock) }
        age = mode == .all || mode == .none ? nil : RecordingAge.age(of: old, on: options.clock)
        let isOld = canRecord && age.map { age in options.reRecordInterval.map { age > $0 } ?? false } ?? false
        recorder = Recorder(redaction: options.redaction, maximumBodyBytes: options.maximumBodyBytes)
        state = Mutex(
            State(
                replay: ReplayState(
                    file: options.path, cassette: mode == .all ? Cassette() : old, redaction: options.redaction,
                    renewal: isOld ? .running : .none),
                file: CassetteFile(path: options.path, content: old.exchanges)))
    }

    private static func read(_ path: String, lock: String?) throws(NetError) -> Cassette {
        do {
            return try Cassette.read(from: path)
        } catch {
            var error = error
            if let lock, !Cassette.exists(at: path) { error.advice += " (nothing is recorded here: \(lock))" }
            throw NetError(error)
        }
    }

    package static func exists(_ path: String) -> Bool { Cassette.exists(at: path) }

    /// True if a request may be sent to a real server.
    package var canRecord: Bool { records || state.withLock { $0.replay.renewal == .running } }

    /// The unused recorded exchanges, with their places in the file; empty if they are being replaced.
    package var unusedExchanges: [String] {
        let isReplacing = recordedCount > 0
        return state.withLock { isReplacing && $0.replay.renewal == .running ? [] : $0.replay.unused }
    }

    package var recordedCount: Int { recorder.exchanges.count }

    package var renewalFailure: String? {
        guard case .abandoned(let reason) = state.withLock({ $0.replay.renewal }) else { return nil }
        let hours = (age ?? .zero).components.seconds / 3600
        let text = hours < 48 ? "\(hours) hours" : "\(hours / 24) days"
        return
            "\(options.path) was recorded \(text) ago and could not be recorded again, so the old recording is used: "
            + reason
    }

    package func reset() {
        recorder.reset()
        state.withLock { $0.replay.reset() }
    }

    /// Writes the recording; does nothing if nothing was recorded, or if a new recording is worse than the old one.
    package func save() throws(NetError) {
        let recorded = recorder.exchanges
        guard !recorded.isEmpty else { return }
        let result = state.withLock { state -> Result<Void, NetError> in
            let isRenewed = state.replay.renewal == .running
            if isRenewed {
                let (new, old) = (
                    RecordingAge.defects(in: recorded), RecordingAge.defects(in: state.replay.cassette.exchanges)
                )
                guard new <= old else {
                    state.replay.renewal = .abandoned(
                        "\(new) of its exchanges failed or ended early, \(old) did before")
                    return .success(())
                }
            }
            do throws(NetError) {
                try state.file.write(recorded, isReplacing: isRenewed || mode == .all)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}
